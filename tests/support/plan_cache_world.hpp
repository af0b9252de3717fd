#pragma once

#include <cstddef>
#include <vector>

#include "mpi/plan_cache.hpp"
#include "support/exchange_world.hpp"

namespace cubefold::mpi {

/// Holds all processes on the last grid of grids_of_world(), for tests of plans that a cache makes.
struct PlanCacheWorld : ExchangeWorld {
  PlanCacheWorld() : ExchangeWorld(grids_of_world().back(), "identity") {}

  /// Returns the data that this process receives by the plan for blocks of `count` numbers. All processes must call
  /// this.
  std::vector<int> exchanged(PlanCache& plans, int count) const {
    const auto send = sent(count);
    std::vector<int> receive(send.size());
    plans.for_blocks(sizeof(int) * static_cast<std::size_t>(count))
        ->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
    return receive;
  }
};

inline constexpr const char* shared_memory =
    "MPI's own all-to-all: all processes share the memory of one host\n";

}  // namespace cubefold::mpi
