#pragma once

#include <gtest/gtest.h>

#include "mpi/alltoall_plan.hpp"
#include "support/exchange_world.hpp"

namespace cubefold::mpi {

/// Holds all processes on a ring and a plan for them: the CC-cube exchange if their number is a power of two, and the
/// direct exchange otherwise.
class AlltoallPlanTest : public testing::Test, protected ExchangeWorld {
 protected:
  AlltoallPlanTest()
      : ExchangeWorld(ring_of_world(), world_is_a_cube() ? "xor" : "identity"),
        exchange(AlltoallPlan::make(
            comm,
            {.method = {world_is_a_cube() ? ExchangeAlgorithm::cc_cube : ExchangeAlgorithm::direct, {}}})) {}

  std::shared_ptr<AlltoallPlan> exchange;
};

}  // namespace cubefold::mpi
