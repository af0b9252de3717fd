#pragma once

#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "mpi/alltoall_plan.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {

/// Holds all processes under a placement. sent() and expected() return the data of this process before and after an
/// exchange of blocks of `count` numbers.
struct ExchangeWorld {
  ExchangeWorld(const std::string& grid, const std::string& rule)
      : comm(MPI_COMM_WORLD, grid, rule), rank(static_cast<int>(label(comm.rank()))), size(world_size()) {}

  std::vector<int> sent(int count) const { return sent_by(rank, size, count); }
  std::vector<int> expected(int count) const { return received_by(rank, size, count); }

  VirtualComm comm;
  int rank;
  int size;
};

/// The text of a later exchange begins with this after a failure.
inline const std::string earlier = "no exchange is possible after an earlier failure: ";

/// Returns a setup for a method whose times allow every synchronisation of steps.
inline AlltoallSetup setup_with(const ExchangeMethod& method, StepSync sync) {
  return {.method = method, .sync = sync, .times = {{{1, 1}}, 1e-6, 1e-6, 1e-10}};
}

}  // namespace cubefold::mpi
