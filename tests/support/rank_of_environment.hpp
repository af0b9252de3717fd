#pragma once

#include <cstdlib>

namespace cubefold {

/// Returns the rank that Open MPI's or MPICH's launcher has given to this process, before MPI_Init. A program without a
/// launcher has rank 0.
inline int rank_of_environment() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr) rank = std::getenv("PMI_RANK");
  return rank == nullptr ? 0 : std::atoi(rank);
}

}  // namespace cubefold
