// Computes the table of docs/exchange.md that compares the steps of the direct exchange with their bound.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "cubefold/topology/link_loads.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/pages.hpp"
#include "support/sanitizers.hpp"

namespace cubefold {
namespace {

/// Returns the least number of steps of an exchange in which every block travels alone: the blocks over the busiest
/// link under balanced ties and, with one port, the blocks that a node sends.
std::size_t bound_of(const Grid& grid, Ports ports) {
  std::size_t blocks = ports == Ports::one ? grid.node_count() - 1 : 0;
  for (const Axis& axis : grid.axes()) {
    LinkLoads loads(Grid({axis}), Tie::balanced);
    for (std::uint32_t from = 0; from < axis.extent; ++from) {
      for (std::uint32_t to = 0; to < axis.extent; ++to)
        loads.add(static_cast<GridNode>(from), static_cast<GridNode>(to));
    }
    blocks = std::max(blocks, loads.busiest() * grid.node_count() / axis.extent);
  }
  return blocks;
}

double ratio_of(const Grid& grid, Ports ports) {
  const auto cost = exchange_cost({ExchangeAlgorithm::direct, {}}, in_place(grid), {ports, Tie::balanced});
  return static_cast<double>(cost.step_count()) / static_cast<double>(bound_of(grid, ports));
}

/// Returns every grid of `axis_count` axes with extents from 2 to `longest`, in ascending order.
std::vector<Grid> grids_to(std::size_t axis_count, std::uint32_t longest) {
  std::vector<Axis> all;
  for (std::uint32_t extent = 2; extent <= longest; ++extent) {
    all.push_back({extent, Ends::open});
    if (extent > 2) all.push_back({extent, Ends::wrapped});
  }
  std::vector<Grid> grids;
  std::vector<Axis> axes;
  const std::function<void(std::size_t)> add = [&](std::size_t first) {
    if (axes.size() == axis_count) return void(grids.emplace_back(axes));
    for (std::size_t i = first; i < all.size(); ++i) {
      axes.push_back(all[i]);
      add(i);
      axes.pop_back();
    }
  };
  add(0);
  return grids;
}

/// Returns `mesh`, `torus` or `mixed`. An axis of two nodes fits all of them.
std::string kind_of(const Grid& grid) {
  const auto count = [&](Ends ends) {
    return std::count_if(grid.axes().begin(), grid.axes().end(),
                         [&](const Axis& axis) { return axis.extent > 2 && axis.ends == ends; });
  };
  return count(Ends::wrapped) == 0 ? "mesh" : count(Ends::open) == 0 ? "torus" : "mixed";
}

std::string row(const std::string& axes, const std::string& kind, Ports ports,
                const std::vector<Grid>& grids) {
  std::size_t count = 0;
  std::size_t at_bound = 0;
  double logarithms = 0;
  double worst = 0;
  std::string where;
  for (const Grid& grid : grids) {
    if (kind_of(grid) != kind) continue;
    const double ratio = ratio_of(grid, ports);
    ++count;
    at_bound += ratio == 1 ? 1 : 0;
    logarithms += std::log(ratio);
    if (ratio > worst) where = to_string(grid);
    worst = std::max(worst, ratio);
  }
  if (count == 0) return "";
  return fmt::format("| {} | {} | {} | {} | {} | {:.3f} | {:.3f}{} |\n", axes, kind, to_string(ports), count,
                     at_bound, std::exp(logarithms / static_cast<double>(count)), worst,
                     worst > 1 ? " on " + where : "");
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
      const double ratio = ratio_of(grid, GetParam());
      EXPECT_LE(ratio, node_count <= 256 ? 1.1 : 1.25) << to_string(grid);
      logarithms += std::log(ratio);
      ++count;
    }
  }
  EXPECT_LE(std::exp(logarithms / static_cast<double>(count)), 1.003);
}

INSTANTIATE_TEST_SUITE_P(Ports, DirectExchangeSteps, testing::Values(Ports::one, Ports::all),
                         [](const auto& ports) { return std::string(to_string(ports.param)); });

TEST(DirectExchange, takes_the_steps_of_the_page) {
  if (sanitized) GTEST_SKIP() << "the table takes minutes with sanitizers";
  std::string table =
      "| axes | ends | ports | grids | at the bound | mean | worst |\n|---|---|---|---|---|---|---|\n";
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
