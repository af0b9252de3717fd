#include "exchange/whole_phase.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>

#include "exchange/walked_moves.hpp"
#include "support/sanitizers.hpp"

namespace cubefold {
namespace {

WholePhase whole_phase_of(const Grid& grid, const NetworkRules& rules) {
  std::vector<int> axes;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) axes.push_back(axis);
  return {grid, axes, rules.ports, rules.tie};
}

/// Calls visit(grid) for every grid of up to 4 axes with extents from 2 to 16 in ascending order, and at most
/// `most_nodes` nodes.
void for_each_grid(std::size_t most_nodes, const std::function<void(const Grid&)>& visit) {
  std::vector<Axis> all;
  for (std::uint32_t extent = 2; extent <= 16; ++extent) {
    all.push_back({extent, Ends::open});
    if (extent > 2) all.push_back({extent, Ends::wrapped});
  }
  std::vector<Axis> axes;
  const std::function<void(std::size_t, std::size_t)> add = [&](std::size_t first, std::size_t nodes) {
    if (!axes.empty()) visit(Grid(axes));
    if (axes.size() == 4) return;
    for (std::size_t i = first; i < all.size() && nodes * all[i].extent <= most_nodes; ++i) {
      axes.push_back(all[i]);
      add(i, nodes * all[i].extent);
      axes.pop_back();
    }
  };
  add(0, 1);
}

TEST(WholePhase, try_it) {
  const std::size_t most = std::strtoul(std::getenv("MOST"), nullptr, 10);
  for (const auto& rules : all_network_rules) {
    int count = 0;
    double worst = 0, logs = 0;
    std::string where;
    for_each_grid(most, [&](const Grid& grid) {
      const WholePhase phase = whole_phase_of(grid, rules);
      if (std::getenv("WALK")) { EXPECT_EQ(first_walk_fault(grid, phase, rules), std::nullopt) << name_of(grid, rules); }
      double bound = rules.ports == Ports::one ? static_cast<double>(grid.node_count() - 1) : 0;
      for (const Axis& axis : grid.axes()) {
        const double k = axis.extent;
        const double load = axis.ends == Ends::open || k == 2 ? std::floor(k * k / 4) : std::fmod(k, 2) == 1 ? (k * k - 1) / 8 : rules.tie == Tie::balanced ? std::ceil(k * k / 8) : k * k / 8 + k / 4;
        bound = std::max(bound, load * static_cast<double>(grid.node_count()) / k);
      }
      const double ratio = static_cast<double>(phase.step_count()) / std::ceil(bound - 1e-9);
      ++count;
      logs += std::log(ratio);
      if (ratio > worst) { worst = ratio; where = to_string(grid); }
      if (ratio > 1.1) std::cout << name_of(grid, rules) << " " << phase.step_count() << " " << bound << "\n";
    });
    std::cout << count << " mean " << std::exp(logs / count) << " worst " << worst << " " << where << std::endl;
  }
}

}  // namespace
}  // namespace cubefold
