#pragma once

#include <cstddef>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The bytes of one message as the int that MPI 3.1 takes: the only place where a size is narrowed.
/// Throws std::invalid_argument above 2^31 - 1 bytes.
CUBEFOLD_API int message_bytes(std::size_t count, std::size_t bytes_each);

}  // namespace cubefold::mpi
