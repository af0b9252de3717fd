#pragma once

#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// What FFTW has found out so far in this process: its text for both precisions, double first. Does not communicate.
/// Throws std::bad_alloc.
CUBEFOLD_API std::string wisdom();

/// Collective: the process of virtual rank 0 writes its wisdom() to a file. Throws std::invalid_argument on all
/// processes alike if the file cannot be written.
CUBEFOLD_API void export_wisdom(const mpi::VirtualComm& comm, const std::string& file);

/// Collective: the process of virtual rank 0 reads such a file for all, and FFTW adds it to what it knows. Plans of any
/// Rigor use it. Throws std::invalid_argument on all processes alike for what is no such file.
CUBEFOLD_API void import_wisdom(const mpi::VirtualComm& comm, const std::string& file);

}  // namespace cubefold::fft
