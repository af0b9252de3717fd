#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cubefold/topology/link_loads.hpp"
#include "exchange/digit_phase.hpp"
#include "exchange/exchange_checks.hpp"
#include "exchange/mixed_radix.hpp"

namespace cubefold {

/// The only phase of a direct exchange.
struct DirectPhase {
  GridPhase phase;

  std::size_t step_count() const { return phase.step_count; }
  Moves moves_of(GridNode node) const { return phase.moves_of(node); }
};

inline DirectPhase direct_phase(const Grid& grid, const NetworkRules& rules) {
  return {digit_phase(grid, whole_digits(grid).digits, rules.ports, rules.tie)};
}

/// Returns the least number of steps of an exchange in which every block travels alone: the blocks over the busiest
/// link and, with one port, the blocks that a node sends.
inline std::size_t direct_bound(const Grid& grid, const NetworkRules& rules) {
  std::size_t blocks = rules.ports == Ports::one ? grid.node_count() - 1 : 0;
  for (const Axis& axis : grid.axes()) {
    LinkLoads loads(Grid({axis}), rules.tie);
    for (std::uint32_t from = 0; from < axis.extent; ++from) {
      for (std::uint32_t to = 0; to < axis.extent; ++to)
        loads.add(static_cast<GridNode>(from), static_cast<GridNode>(to));
    }
    blocks = std::max<std::size_t>(blocks, loads.busiest() * grid.node_count() / axis.extent);
  }
  return blocks;
}

inline std::size_t direct_steps(const Grid& grid, const NetworkRules& rules) {
  return exchange_cost({ExchangeAlgorithm::direct, {}}, in_place(grid), rules).step_count();
}

inline double over(std::size_t steps, std::size_t bound) {
  return static_cast<double>(steps) / static_cast<double>(bound);
}

inline double steps_over_bound(const Grid& grid, const NetworkRules& rules) {
  return over(direct_steps(grid, rules), direct_bound(grid, rules));
}

/// Returns every grid of `axis_count` axes with extents from 2 to `longest`, in ascending order.
inline std::vector<Grid> grids_to(std::size_t axis_count, std::uint32_t longest) {
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

/// Returns every stride-th of the grids of 2 to 4 axes with extents up to 16 that have so many nodes.
inline std::vector<Grid> sample_of_grids(std::size_t least_nodes, std::size_t most_nodes,
                                         std::size_t stride) {
  std::vector<Grid> sample;
  std::size_t count = 0;
  for (const std::size_t axis_count : {2U, 3U, 4U}) {
    for (Grid& grid : grids_to(axis_count, 16)) {
      if (grid.node_count() < least_nodes || grid.node_count() > most_nodes) continue;
      if (count++ % stride == 0) sample.push_back(std::move(grid));
    }
  }
  return sample;
}

}  // namespace cubefold
