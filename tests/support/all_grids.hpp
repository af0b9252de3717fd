#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Which orders of the same axes count as grids of their own: all, or only the one in which extents ascend, of equal
/// ones the open before the wrapped.
enum class AxisOrders : std::uint8_t { all, ascending };

/// Adds to `grids` every grid that begins with `axes` and has rest_count times their nodes.
inline void add_grids(std::vector<Axis>& axes, std::size_t rest_count, AxisOrders orders,
                      std::vector<Grid>& grids) {
  if (rest_count == 1) grids.emplace_back(axes);
  for (std::uint32_t extent = 2; extent <= rest_count; ++extent) {
    if (rest_count % extent != 0) continue;
    for (const Ends ends : {Ends::open, Ends::wrapped}) {
      if (extent == 2 && ends == Ends::wrapped) continue;  // the same links as open
      const bool descends = !axes.empty() && (axes.back().extent > extent ||
                                              (axes.back().extent == extent && axes.back().ends > ends));
      if (descends && orders == AxisOrders::ascending) continue;
      axes.push_back({extent, ends});
      add_grids(axes, rest_count / extent, orders, grids);
      axes.pop_back();
    }
  }
}

/// Every grid of that many nodes once: extents of 2 and more, each axis open or wrapped. One node: the grid without
/// axes.
inline std::vector<Grid> grids_of(std::size_t node_count, AxisOrders orders = AxisOrders::all) {
  std::vector<Axis> axes;
  std::vector<Grid> grids;
  add_grids(axes, node_count, orders, grids);
  return grids;
}

/// Every grid of 1 .. most_nodes nodes once: 1455 of up to 64 nodes.
inline std::vector<Grid> grids_up_to(std::size_t most_nodes, AxisOrders orders = AxisOrders::all) {
  std::vector<Grid> grids;
  for (std::size_t node_count = 1; node_count <= most_nodes; ++node_count) {
    for (Grid& grid : grids_of(node_count, orders)) grids.push_back(std::move(grid));
  }
  return grids;
}

/// The same with 2^d nodes only, d = 0 .. most_dimensions.
inline std::vector<Grid> power_of_two_grids(int most_dimensions, AxisOrders orders = AxisOrders::all) {
  std::vector<Grid> grids;
  for (int d = 0; d <= most_dimensions; ++d) {
    for (Grid& grid : grids_of(std::size_t{1} << d, orders)) grids.push_back(std::move(grid));
  }
  return grids;
}

}  // namespace cubefold
