#pragma once

#include <cstddef>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// Returns memory of this process for the arrays of transforms, with the alignment that suits FFTW best, and in large
/// pages if it has 4 MiB or more and the system has them. The numbers in it are arbitrary. All processes must call
/// this, each with its own number of bytes, because later versions may place the memory where processes of a node share
/// it. free_memory() frees it. Returns a null pointer for 0 bytes. Throws std::bad_alloc on all processes if one has no
/// memory.
CUBEFOLD_API void* allocate(const mpi::VirtualComm& comm, std::size_t bytes);

/// Frees memory of allocate(). All processes must call this. Does nothing for a null pointer.
CUBEFOLD_API void free_memory(void* memory) noexcept;

}  // namespace cubefold::fft
