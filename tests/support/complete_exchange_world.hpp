#pragma once

#include <gtest/gtest.h>

#include "cubefold/mpi/complete_exchange.hpp"
#include "support/exchange_world.hpp"

namespace cubefold::mpi {

/// All processes round a ring, with the CC-cube exchange where they are a cube.
class CompleteExchangeTest : public testing::Test, protected ExchangeWorld {
 protected:
  CompleteExchangeTest()
      : ExchangeWorld(ring_of_world(), world_is_a_cube() ? "xor" : "identity"),
        exchange(CompleteExchange::make(
            comm,
            {.method = {world_is_a_cube() ? ExchangeAlgorithm::cc_cube : ExchangeAlgorithm::direct, {}}})) {}

  std::shared_ptr<CompleteExchange> exchange;
};

}  // namespace cubefold::mpi
