#include "cubefold/exchange/algorithm.hpp"

#include <gtest/gtest.h>

#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/exchange/direct.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(ExchangeAlgorithmName, is_read_as_it_is_written) {
  for (const auto algorithm : all_exchange_algorithms) {
    EXPECT_EQ(parse_exchange_algorithm(to_string(algorithm)), algorithm);
  }
}

TEST(ExchangeAlgorithmName, is_refused_with_those_that_there_are) {
  EXPECT_EQ(message_of([] { parse_exchange_algorithm("fast"); }),
            "unknown exchange algorithm 'fast'; known: cc-cube, direct");
}

TEST(CompleteExchangeSchedule, is_that_of_the_algorithm) {
  EXPECT_EQ(complete_exchange(ExchangeAlgorithm::cc_cube, 3), cc_cube_exchange(3));
  EXPECT_EQ(complete_exchange(ExchangeAlgorithm::direct, 3), direct_exchange(3));
  for (const auto algorithm : all_exchange_algorithms) {
    EXPECT_EQ(complete_exchange_part(algorithm, 3, Rank{5}),
              part_of(complete_exchange(algorithm, 3), Rank{5}));
  }
}

}  // namespace
}  // namespace cubefold
