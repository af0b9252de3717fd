#pragma once

#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// Collective: writes what FFTW has found out so far on the process of virtual rank 0, in both precisions, to a file. Throws
/// std::invalid_argument on all processes alike if it cannot be written.
CUBEFOLD_API void export_wisdom(const mpi::VirtualComm& comm, const std::string& file);

/// Collective: the process of virtual rank 0 reads such a file for all, and FFTW adds it to what it knows. Plans of any
/// Rigor use it. Throws std::invalid_argument on all processes alike for what is no such file.
CUBEFOLD_API void import_wisdom(const mpi::VirtualComm& comm, const std::string& file);

}  // namespace cubefold::fft
