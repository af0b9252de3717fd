// Computes the table of docs/exchange.md that compares the steps of the direct exchange with their bound.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "exchange/direct_checks.hpp"
#include "support/pages.hpp"
#include "support/sanitizers.hpp"

namespace cubefold {
namespace {

/// Returns direct_bound() under balanced ties, but with links that count as if messages halfway round a ring could go
/// either way: those of a ring of even extent n then carry n^2 / 8 blocks for each of its lines, which may be no whole
/// number.
std::size_t bound_of_free_ties(const Grid& grid, Ports ports) {
  std::size_t blocks = ports == Ports::one ? grid.node_count() - 1 : 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t lines = grid.node_count() / axis.extent;
    const bool has_ties = axis.ends == Ends::wrapped && axis.extent % 2 == 0;
    const std::size_t per_eight =
        has_ties ? axis.extent * axis.extent : 8 * direct_bound(Grid({axis}), {Ports::all, Tie::balanced});
    blocks = std::max(blocks, (per_eight * lines + 7) / 8);
  }
  return blocks;
}

/// Returns `mesh`, `torus` or `mixed`. An axis of two nodes fits all of them.
std::string kind_of(const Grid& grid) {
  const auto count = [&](Ends ends) {
    return std::count_if(grid.axes().begin(), grid.axes().end(),
                         [&](const Axis& axis) { return axis.extent > 2 && axis.ends == ends; });
  };
  return count(Ends::wrapped) == 0 ? "mesh" : count(Ends::open) == 0 ? "torus" : "mixed";
}

/// The largest ratio of steps to a bound, and the first grid that has it.
struct Worst {
  double ratio = 0;
  std::string where;

  void take(double next, const Grid& grid) {
    if (next > ratio) where = to_string(grid);
    ratio = std::max(ratio, next);
  }
  std::string text() const { return fmt::format("{:.3f}{}", ratio, ratio > 1 ? " on " + where : ""); }
};

std::string row(const std::string& axes, const std::string& kind, Ports ports,
                const std::vector<Grid>& grids) {
  std::size_t count = 0;
  std::size_t at_bound = 0;
  double logarithms = 0;
  Worst worst;
  Worst of_free_ties;
  for (const Grid& grid : grids) {
    if (kind_of(grid) != kind) continue;
    const std::size_t steps = direct_steps(grid, {ports, Tie::balanced});
    const double ratio = over(steps, direct_bound(grid, {ports, Tie::balanced}));
    ++count;
    at_bound += ratio == 1 ? 1 : 0;
    logarithms += std::log(ratio);
    worst.take(ratio, grid);
    of_free_ties.take(over(steps, bound_of_free_ties(grid, ports)), grid);
  }
  if (count == 0) return "";
  return fmt::format("| {} | {} | {} | {} | {} | {:.3f} | {} | {} |\n", axes, kind, to_string(ports), count,
                     at_bound, std::exp(logarithms / static_cast<double>(count)), worst.text(),
                     of_free_ties.text());
}

bool has_extents_to_16_on_4_axes(const Grid& grid) {
  return grid.axis_count() <= 4 && std::all_of(grid.axes().begin(), grid.axes().end(),
                                               [](const Axis& axis) { return axis.extent <= 16; });
}

class DirectExchangeSteps : public testing::TestWithParam<Ports> {};

// Up to 400 nodes the steps may take a search, so not all numbers of nodes are tried above 256.
TEST_P(DirectExchangeSteps, are_few_more_than_the_bound_on_extents_up_to_16) {
  std::size_t count = 0;
  double logarithms = 0;
  for (std::size_t node_count = 2; node_count <= end_of_sweep(1000U, 64U);
       node_count += node_count < 256 ? 1 : 8) {
    for (const Grid& grid : grids_of(node_count, AxisOrders::ascending)) {
      if (!has_extents_to_16_on_4_axes(grid)) continue;
      const double ratio = steps_over_bound(grid, {GetParam(), Tie::balanced});
      EXPECT_LE(ratio, node_count <= 256 ? 1.1 : 1.25) << to_string(grid);
      logarithms += std::log(ratio);
      ++count;
    }
  }
  EXPECT_LE(std::exp(logarithms / static_cast<double>(count)), 1.003);
}

// ./dev sweep checks the messages of some of these grids.
TEST_P(DirectExchangeSteps, are_at_most_a_quarter_more_than_the_bound_on_grids_to_4096_nodes) {
  for (const Grid& grid : sample_of_grids(401, 4096, sanitized ? 211 : 1)) {
    for (const NetworkRules rules : {NetworkRules{GetParam(), Tie::balanced}, {GetParam(), Tie::positive}})
      EXPECT_LE(steps_over_bound(grid, rules), 1.25) << name_of(grid, rules);
  }
}

TEST_P(DirectExchangeSteps, are_few_more_than_the_bound_of_ties_that_all_go_up) {
  const NetworkRules rules{GetParam(), Tie::positive};
  for (const Grid& grid : sample_of_grids(4, 256, sanitized ? 131 : 13))
    EXPECT_LE(steps_over_bound(grid, rules), 1.1) << name_of(grid, rules);
}

INSTANTIATE_TEST_SUITE_P(Ports, DirectExchangeSteps, testing::Values(Ports::one, Ports::all),
                         [](const auto& ports) { return std::string(to_string(ports.param)); });

TEST(DirectExchange, takes_the_steps_of_the_page) {
  if (sanitized) GTEST_SKIP() << "the table takes minutes with sanitizers";
  std::string table =
      "| axes | ends | ports | grids | at the bound | mean | worst | worst, free ties |\n"
      "|---|---|---|---|---|---|---|---|\n";
  const std::pair<const char*, std::vector<Grid>> families[] = {
      {"one to 16", grids_to(1, 16)}, {"two to 16x16", grids_to(2, 16)}, {"three to 8x8x8", grids_to(3, 8)}};
  for (const auto& [axes, grids] : families) {
    for (const char* kind : {"mesh", "mixed", "torus"}) {
      for (const Ports ports : {Ports::one, Ports::all}) table += row(axes, kind, ports, grids);
    }
  }
  expect_table("exchange.md", table);
}

}  // namespace
}  // namespace cubefold
