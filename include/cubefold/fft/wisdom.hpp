#pragma once

#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// Returns the wisdom that FFTW has gathered in this process, as FFTW's text for double precision followed by that for
/// single precision. The call does not communicate. Throws std::bad_alloc.
CUBEFOLD_API std::string wisdom();

/// Collective: the process of virtual rank 0 writes its wisdom() to a file. Throws std::invalid_argument on all
/// processes alike if the file cannot be written.
CUBEFOLD_API void export_wisdom(const mpi::VirtualComm& comm, const std::string& file);

/// Collective: the process of virtual rank 0 reads such a file for all, and FFTW adds it to what it knows. Plans of any
/// Rigor use it. Throws std::invalid_argument on all processes alike for what is no such file.
CUBEFOLD_API void import_wisdom(const mpi::VirtualComm& comm, const std::string& file);

}  // namespace cubefold::fft
