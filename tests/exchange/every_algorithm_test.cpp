// Checks what every algorithm of CUBEFOLD_EXCHANGE_ALGORITHMS promises, except its cost, which cost_test.cpp checks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "exchange/exchange_checks.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"

namespace cubefold {
namespace {

/// Returns what is wrong with the schedule of a method or with the parts of single ranks, or nothing.
std::optional<std::string> fault_of(const ExchangeMethod& method, const Placement& placement,
                                    const NetworkRules& rules, const Schedule& schedule) {
  if (const auto fault = first_delivery_fault(schedule)) return describe(*fault);
  if (info_of(method).is_free_of_conflicts) {
    if (const auto fault = first_exchange_fault(placement, schedule, rules)) return fault;
  }
  const auto other = first_other_part(method, placement, rules, schedule);
  return other ? std::optional(fmt::format("the part of rank {} differs", label(*other))) : std::nullopt;
}

TEST(EveryAlgorithm, has_examples_that_are_read_as_methods_of_its_name) {
  for (const auto& info : exchange_algorithms()) {
    const auto examples = examples_of(info);
    EXPECT_FALSE(examples.empty()) << info.name;
    for (const auto& example : examples) EXPECT_EQ(info_of(example).name, info.name);
  }
}

/// Expects that every method that fits delivers every block once, without conflicts if it says so, and that all parts
/// together are the whole.
void expect_no_fault_of_any_method(const Placement& placement) {
  auto methods = exchange_methods(placement.grid());
  for (const auto& info : exchange_algorithms()) {
    for (const auto& example : examples_of(info)) methods.push_back(example);
  }
  for (const auto& rules : all_network_rules) {
    for (const auto& method : methods) {
      const auto schedule = schedule_if_it_fits(method, placement, rules);
      if (!schedule) continue;
      EXPECT_EQ(fault_of(method, placement, rules, *schedule), std::nullopt)
          << to_string(method) << " on " << name_of(placement.grid(), rules);
    }
  }
}

TEST(EveryAlgorithm, delivers_every_block_once_without_conflicts_if_it_says_so) {
  for (const Grid& grid : some_grids_up_to(12, 16, 4)) expect_no_fault_of_any_method(in_place(grid));
}

TEST(EveryAlgorithm, does_so_under_any_placement) {
  for (const Placement& placement : some_of(other_placements(), 3)) expect_no_fault_of_any_method(placement);
}

TEST(EveryAlgorithm, has_no_part_of_a_rank_that_there_is_not) {
  for (const auto& info : exchange_algorithms()) {
    for (const auto& example : examples_of(info)) {
      EXPECT_EQ(message_of([&] { exchange_part(example, in_place(parse_grid("mesh:8x8")), {}, Rank{64}); }),
                "exchange_part: rank 64 is not below 64");
    }
  }
}

TEST(EveryAlgorithm, fits_the_grids_that_it_is_compared_on) {
  for (const Grid& grid : grids_up_to(end_of_sweep(16, 12))) {
    for (const auto& method : exchange_methods(grid))
      EXPECT_TRUE(schedule_if_it_fits(method, in_place(grid), {})) << to_string(method) << to_string(grid);
  }
}

}  // namespace
}  // namespace cubefold
