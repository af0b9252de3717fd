#pragma once

#include <string>
#include <vector>

#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {

/// All processes under a placement, and what they have for each other.
struct ExchangeWorld {
  ExchangeWorld(const std::string& grid, const std::string& rule)
      : comm(MPI_COMM_WORLD, grid, rule), rank(static_cast<int>(label(comm.rank()))), size(world_size()) {}

  std::vector<int> sent(int count) const { return sent_by(rank, size, count); }
  std::vector<int> expected(int count) const { return received_by(rank, size, count); }

  VirtualComm comm;
  int rank;
  int size;
};

/// A setup with times that any synchronisation of steps can keep.
inline AlltoallSetup setup_with(const ExchangeMethod& method, Pacing pacing) {
  return {.method = method, .pacing = pacing, .times = {{{1, 1}}, 1e-6, 1e-6, 1e-10}};
}

}  // namespace cubefold::mpi
