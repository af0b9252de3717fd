#pragma once

#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// Returns the wisdom that FFTW has gathered in this process: FFTW's text for double precision, followed by its text
/// for single precision. Does not communicate. Throws std::bad_alloc.
CUBEFOLD_API std::string wisdom();

/// Writes the wisdom() of the process with virtual rank 0 to a file. All processes must call this. Throws
/// std::invalid_argument on all processes if the file cannot be written.
CUBEFOLD_API void export_wisdom(const mpi::VirtualComm& comm, const std::string& file);

/// Reads a file of export_wisdom() on virtual rank 0 and adds it to the wisdom of FFTW on every process. Plans of any
/// Rigor use it. All processes must call this. Throws std::invalid_argument on all processes if the file cannot be read
/// or is not wisdom of this version of FFTW.
CUBEFOLD_API void import_wisdom(const mpi::VirtualComm& comm, const std::string& file);

}  // namespace cubefold::fft
