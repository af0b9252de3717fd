#include "cubefold/exchange/direct.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "cubefold/schedule/local_program.hpp"
#include "cubefold/simulation/bounds.hpp"
#include "cubefold/simulation/steps.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

Schedule direct_under(const Placement& placement, const NetworkRules& rules) {
  return direct_exchange(placement, rules.ports, rules.tie);
}

void expect_direct(const Placement& placement, const NetworkRules& rules) {
  const Schedule schedule = direct_under(placement, rules);
  EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt)
      << name_of(placement.grid(), rules);
  for (const Step& step : schedule.steps) {
    for (const Message& message : step)
      ASSERT_EQ(message.blocks, (std::vector<Block>{{message.from, message.to}}))
          << name_of(placement.grid(), rules);
  }
}

TEST(DirectExchange, sends_every_block_once_without_conflicts_on_all_grids) {
  for (const Grid& grid : grids_up_to(36)) {
    for (const auto& rules : all_network_rules) expect_direct(in_place(grid), rules);
  }
}

TEST(DirectExchange, does_so_under_any_placement) {
  for (const auto& placement : other_placements()) {
    for (const auto& rules : all_network_rules) expect_direct(placement, rules);
  }
}

TEST(DirectExchange, of_one_node_has_no_steps) {
  for (const char* grid : {"mesh:1x1", "ring:1", "hypercube:0"})
    EXPECT_EQ(direct_under(in_place(parse_grid(grid)), {}), (Schedule{1, {}}));
}

TEST(DirectExchangePart, is_the_part_of_the_whole) {
  const auto expect_parts = [](const Placement& placement, const NetworkRules& rules) {
    EXPECT_EQ(first_other_part(
                  direct_under(placement, rules),
                  [&](Rank rank) { return direct_exchange_part(placement, rules.ports, rules.tie, rank); }),
              std::nullopt)
        << name_of(placement.grid(), rules);
  };
  for (const auto& rules : all_network_rules) {
    for (const Grid& grid : grids_up_to(16)) expect_parts(in_place(grid), rules);
    for (const auto& placement : other_placements()) expect_parts(placement, rules);
  }
}

TEST(DirectExchangePart, refuses_a_rank_that_is_not_there) {
  EXPECT_EQ(message_of([] {
              direct_exchange_part(in_place(parse_grid("mesh:3x2")), Ports::one, Tie::balanced, Rank{6});
            }),
            "rank 6 is not below 6, the number of nodes of mesh:3x2");
}

}  // namespace
}  // namespace cubefold
