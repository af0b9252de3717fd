#include "exchange/mixed_radix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exchange/exchange_checks.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

using Phases = std::vector<RadixPhase>;

Schedule exchange_under(const Placement& placement, const Phases& phases, const NetworkRules& rules) {
  return mixed_radix_parts(placement, phases, rules.ports, rules.tie).whole();
}

/// Returns the named members of the family with their names, and the members that coarse_to_fine() builds from four
/// lists of radices.
std::vector<std::pair<std::string, Phases>> members_of(const Grid& grid) {
  std::vector<std::pair<std::string, Phases>> members{{"binary", binary_phases(grid)},
                                                      {"quadrant", quadrant_phases(grid)},
                                                      {"modified quadrant", modified_quadrant_phases(grid)},
                                                      {"cyclic", cyclic_phases(grid)},
                                                      {"hybrid", hybrid_phases(grid, 4)},
                                                      {"axes", axis_phases(grid)}};
  for (const auto& radices :
       std::vector<std::vector<std::uint32_t>>{{2, 4, 8, 16}, {8, 2, 2, 2, 2}, {4, 4, 4, 4}, {128}})
    members.emplace_back("radix " + std::to_string(radices[0]), coarse_to_fine(grid, radices));
  return members;
}

void expect_no_fault(const Placement& placement) {
  for (const auto& [name, phases] : members_of(placement.grid())) {
    for (const auto& rules : all_network_rules) {
      const Schedule schedule = exchange_under(placement, phases, rules);
      EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt)
          << name << ' ' << name_of(placement.grid(), rules);
    }
  }
}

TEST(MixedRadixExchange, delivers_every_block_without_conflicts_on_all_grids_of_powers_of_two) {
  for (const Grid& grid : power_of_two_grids(4)) expect_no_fault(in_place(grid));
  for (const Grid& grid : some_of(grids_of(32), 6)) expect_no_fault(in_place(grid));
}

TEST(MixedRadixExchange, does_so_under_any_placement) {
  for (const auto& placement : other_placements()) {
    if (placement.rank_count() % 2 == 0) expect_no_fault(placement);
  }
}

TEST(MixedRadixExchange, takes_any_radices_that_make_up_the_extents) {
  using Radices = std::vector<std::uint32_t>;
  for (const auto& [name, radices] : {std::pair<const char*, Radices>{"mesh:6x6", {3, 2}},
                                      {"mesh:6x6", {2, 3}},
                                      {"torus:6x3", {3, 2}},
                                      {"mesh:3x5", {5}},
                                      {"line:24", {2, 3, 4}},
                                      {"ring:24", {4, 3, 2}},
                                      {"grid:12wx4x2", {2, 2, 3}},
                                      {"ring:7", {7}},
                                      {"mesh:1x9", {3, 3}}}) {
    const auto placement = in_place(parse_grid(name));
    for (const auto& rules : all_network_rules) {
      const Schedule schedule = exchange_under(placement, coarse_to_fine(placement.grid(), radices), rules);
      EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt)
          << name_of(placement.grid(), rules);
    }
  }
}

TEST(MixedRadixExchange, by_axes_fits_all_grids) {
  for (const Grid& grid : some_grids_up_to(16, 36, 6)) {
    const auto placement = in_place(grid);
    for (const auto& rules : all_network_rules) {
      const Schedule schedule = exchange_under(placement, axis_phases(grid), rules);
      EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt) << name_of(grid, rules);
    }
  }
}

TEST(MixedRadixExchange, sends_the_blocks_that_have_to_change_a_phases_digits_so) {
  const auto placement = in_place(parse_grid("mesh:8x4"));
  const Schedule schedule = exchange_under(placement, coarse_to_fine(placement.grid(), {4, 2}), {});
  const std::size_t first_steps = 4 * 16 / 2;  // 4 nodes of half a line, 16 peers each, half of them across
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    for (const Message& message : schedule.steps[step])
      EXPECT_EQ(message.blocks.size(), step < first_steps ? 32U / 16 : 32U / 2) << step;
  }
}

TEST(MixedRadixExchange, is_free_of_conflicts_on_larger_grids) {
  for (const char* name : {"mesh:8x8", "torus:8x8", "ring:64", "line:64", "grid:4wx32", "torus:4x4x8",
                           "mesh:2x4x16", "hypercube:7"}) {
    const auto placement = in_place(parse_grid(name));
    for (const auto& [member, phases] : members_of(placement.grid())) {
      const NetworkRules rules;
      EXPECT_EQ(first_exchange_fault(placement, exchange_under(placement, phases, rules), rules),
                std::nullopt)
          << name << ' ' << member;
    }
  }
}

// On c equal open axes, a phase that changes digits of radix s and period L takes max(L s^c / 4, s^c - 1) steps.
TEST(MixedRadixExchange, takes_the_steps_of_its_phases_one_after_the_other) {
  const auto steps = [](const char* grid, std::vector<std::uint32_t> radices) {
    const auto placement = in_place(parse_grid(grid));
    return exchange_under(placement, coarse_to_fine(placement.grid(), radices), {}).steps.size();
  };
  EXPECT_EQ(steps("mesh:16x16", {4, 4}), 16U * 16 / 4 + 16);
  EXPECT_EQ(steps("mesh:16x16", {2, 2, 2, 2}), 16U + 8 + 4 + 3);
  EXPECT_EQ(steps("mesh:8x8x8", {8}), 8U * 512 / 4);
  EXPECT_EQ(steps("mesh:8x8x8", {2, 4}), 8U * 8 / 4 + 4 * 64 / 4);
  EXPECT_EQ(steps("mesh:4x4x4", {2, 2}), 8U + 7);
  EXPECT_EQ(steps("torus:16x16", {8, 2}), 16U * 64 / 8 + 3);
  EXPECT_EQ(steps("torus:16x16", {4, 4}), 15U * 4 + 16);
}

// Compares the messages of each stage of the CC-cube exchange with those of the corresponding phase of the cyclic one.
TEST(MixedRadixExchange, named_cyclic_is_the_cc_cube_exchange_under_cyclic_standard_without_its_conflicts) {
  const Placement placement(parse_grid("mesh:8x8"), parse_placement("standard,bits=cyclic"));
  const Schedule cube = cc_cube_exchange(6);
  const Phases phases = cyclic_phases(placement.grid());
  ASSERT_EQ(phases.size(), 6U);
  const auto sorted = [](std::vector<Message> messages) {
    for (Message& message : messages) {
      std::sort(message.blocks.begin(), message.blocks.end(), [](const Block& a, const Block& b) {
        return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
      });
    }
    std::sort(messages.begin(), messages.end(),
              [](const Message& a, const Message& b) { return a.from < b.from; });
    return messages;
  };
  const Schedule schedule = exchange_under(placement, phases, {});
  std::size_t step = 0;
  for (std::size_t stage = 0; stage < 6; ++stage) {
    std::vector<Message> messages;
    for (; messages.size() < 64; ++step)
      messages.insert(messages.end(), schedule.steps.at(step).begin(), schedule.steps.at(step).end());
    EXPECT_EQ(sorted(messages), sorted(cube.steps[stage])) << stage;
  }
  EXPECT_EQ(step, schedule.steps.size());
}

TEST(MixedRadixPhases, of_the_named_members_are_those_of_the_paper) {
  const Grid grid = parse_grid("mesh:4x4");
  const Digit none{1, 1}, coarse{4, 2}, fine{2, 2}, all{4, 4};
  const auto no = ProductPhase::Sharing::no;
  EXPECT_EQ(binary_phases(grid),
            (Phases{{{coarse, none}}, {{none, coarse}}, {{fine, none}}, {{none, fine}}}));
  EXPECT_EQ(cyclic_phases(grid),
            (Phases{{{fine, none}}, {{none, fine}}, {{coarse, none}}, {{none, coarse}}}));
  EXPECT_EQ(quadrant_phases(grid), (Phases{{{coarse, coarse}, no}, {{fine, fine}, no}}));
  EXPECT_EQ(modified_quadrant_phases(grid), (Phases{{{coarse, coarse}}, {{fine, fine}}}));
  EXPECT_EQ(axis_phases(grid), (Phases{{{all, none}}, {{none, all}}}));
  EXPECT_EQ(hybrid_phases(parse_grid("mesh:8x8"), 4), (Phases{{{{8, 4}, {8, 4}}}, {{fine, fine}}}));
}

TEST(MixedRadixPhases, leave_out_axes_that_are_used_up) {
  const Digit none{1, 1};
  EXPECT_EQ(coarse_to_fine(parse_grid("mesh:8x2"), {4, 2}), (Phases{{{{8, 4}, {2, 2}}}, {{{2, 2}, none}}}));
  EXPECT_EQ(binary_phases(parse_grid("mesh:4x2")),
            (Phases{{{{4, 2}, none}}, {{{2, 2}, none}}, {{none, {2, 2}}}}));
  EXPECT_EQ(axis_phases(parse_grid("mesh:1x3")), (Phases{{{none, {3, 3}}}}));
}

TEST(MixedRadixPhases, refuse_radices_that_do_not_make_up_the_extents) {
  const auto complaint = [](const char* grid, const std::vector<std::uint32_t>& radices) {
    return message_of([&] { coarse_to_fine(parse_grid(grid), radices); });
  };
  EXPECT_EQ(complaint("mesh:8x8", {4, 1, 2}), "coarse_to_fine: radix 1 is below 2");
  EXPECT_EQ(complaint("mesh:8x6", {4}), "coarse_to_fine: radix 4 does not divide 6, what is left of an axis");
  EXPECT_EQ(complaint("mesh:8x8", {4}),
            "mixed_radix_exchange: the digits of axis 0 do not make up its extent 8");
  EXPECT_EQ(message_of([] { hybrid_phases(parse_grid("line:6"), 2); }),
            "hybrid_phases: extent 6 is no power of two");
  EXPECT_NE(message_of([] { hybrid_phases(parse_grid("line:8"), 0); }), "nothing thrown");
  EXPECT_NE(message_of([] { hybrid_phases(parse_grid("line:8"), 3); }), "nothing thrown");
}

TEST(MixedRadixExchange, refuses_digits_that_do_not_bring_every_block_home) {
  const auto placement = in_place(parse_grid("line:8"));
  const auto complaint = [&](const Phases& phases) {
    return message_of([&] { exchange_under(placement, phases, {}); });
  };
  const std::string expected = "mixed_radix_exchange: the digits of axis 0 do not make up its extent 8";
  EXPECT_EQ(complaint({}), expected);
  EXPECT_EQ(complaint({{{{8, 2}}}, {{{2, 2}}}}), expected);
  EXPECT_EQ(complaint({{{{8, 8}}}, {{{8, 8}}}}), expected);
}

}  // namespace
}  // namespace cubefold
