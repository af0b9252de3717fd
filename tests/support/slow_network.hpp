#pragma once

#include "several_hosts.hpp"
#include "world.hpp"

namespace cubefold::mpi {

/// While this object lives, replaced_mpi.cpp simulates a network. Every process counts as a separate host. The clock of
/// MPI_Wtime advances by a microsecond for every call of it, by alltoall_seconds for every call of MPI_Alltoall and
/// MPI_Alltoallv, by neighbour_seconds for MPI_Neighbor_alltoallv, by allreduce_seconds for every MPI_Allreduce of more
/// than short_elements, and by message_seconds for every MPI_Isend, so that a test says which exchange is the fastest.
class SlowNetwork {
 public:
  SlowNetwork() {
    is_on = true;
    alltoall_seconds = 0;
    neighbour_seconds = 0;
    allreduce_seconds = 0;
    message_seconds = 0;
    now_seconds = 0;
  }
  SlowNetwork(const SlowNetwork&) = delete;
  SlowNetwork& operator=(const SlowNetwork&) = delete;
  ~SlowNetwork() { is_on = false; }

  static constexpr int short_elements = 64;  ///< at most those of an agreement

  static inline bool is_on = false;
  static inline double alltoall_seconds = 0;
  static inline double neighbour_seconds = 0;
  static inline double allreduce_seconds = 0;
  static inline double message_seconds = 0;
  static inline double now_seconds = 0;

 private:
  const SeveralHosts own_host_{world_rank()};
};

}  // namespace cubefold::mpi
