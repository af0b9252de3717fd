#include <gtest/gtest.h>

#include "exchange/exchange_checks.hpp"
#include "schedule/delivery.hpp"

namespace cubefold {
namespace {

const ExchangeMethod swing{ExchangeAlgorithm::swing, {}};

double block_times(const char* grid, const ExchangeMethod& method) {
  return exchange_cost(method, Placement(parse_grid(grid), {}), {}).block_times();
}

// The second number is that of cc-cube. The numbers were counted by a replay of messages apart.
TEST(SwingExchange, takes_fewer_block_times_than_the_cube) {
  struct Counted {
    const char* grid;
    double swing;
    double cube;
  };
  for (const auto& [grid, ours, cube] :
       {Counted{"ring:16", 56, 88}, Counted{"ring:64", 768, 1504}, Counted{"torus:8x8", 256, 320},
        Counted{"torus:16x16", 1792, 2816}, Counted{"torus:4x4x4", 192, 192},
        Counted{"torus:8x8x8", 3072, 3840}}) {
    EXPECT_EQ(block_times(grid, swing), ours) << grid;
    const Placement placement(parse_grid(grid), parse_placement("standard,bits=cyclic"));
    EXPECT_EQ(exchange_cost({ExchangeAlgorithm::cc_cube, {}}, placement, {}).block_times(), cube) << grid;
  }
}

TEST(SwingExchange, does_not_depend_on_the_placement) {
  const Grid grid = parse_grid("torus:8x4");
  const ExchangeCost cost = exchange_cost(swing, Placement(grid, {}), {});
  for (const char* rule : {"standard", "xor", "gray"}) {
    const Placement placement(grid, parse_placement(rule));
    EXPECT_EQ(exchange_cost(swing, placement, {}), cost) << rule;
    EXPECT_EQ(first_delivery_fault(exchange_schedule(swing, placement, {})), std::nullopt) << rule;
  }
}

}  // namespace
}  // namespace cubefold
