#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Tells which orders of the same axes count as different grids: all orders, or only the one with ascending extents, in
/// which open axes come before wrapped axes of the same extent.
enum class AxisOrders : std::uint8_t { all, ascending };

/// Adds to `grids` every grid that begins with `axes` and has rest_count times as many nodes as they have.
inline void add_grids(std::vector<Axis>& axes, std::size_t rest_count, AxisOrders orders,
                      std::vector<Grid>& grids) {
  if (rest_count == 1) grids.emplace_back(axes);
  for (std::uint32_t extent = 2; extent <= rest_count; ++extent) {
    if (rest_count % extent != 0) continue;
    for (const Ends ends : {Ends::open, Ends::wrapped}) {
      if (extent == 2 && ends == Ends::wrapped) continue;  // has the same links as open
      const bool descends = !axes.empty() && (axes.back().extent > extent ||
                                              (axes.back().extent == extent && axes.back().ends > ends));
      if (descends && orders == AxisOrders::ascending) continue;
      axes.push_back({extent, ends});
      add_grids(axes, rest_count / extent, orders, grids);
      axes.pop_back();
    }
  }
}

/// Returns every grid of node_count nodes once: extents are at least 2, and each axis is open or wrapped. For one node
/// it is the grid without axes.
inline std::vector<Grid> grids_of(std::size_t node_count, AxisOrders orders = AxisOrders::all) {
  std::vector<Axis> axes;
  std::vector<Grid> grids;
  add_grids(axes, node_count, orders, grids);
  return grids;
}

/// Returns every grid of 1 .. most_nodes nodes once. There are 1455 grids of up to 64 nodes.
inline std::vector<Grid> grids_up_to(std::size_t most_nodes, AxisOrders orders = AxisOrders::all) {
  std::vector<Grid> grids;
  for (std::size_t node_count = 1; node_count <= most_nodes; ++node_count) {
    for (Grid& grid : grids_of(node_count, orders)) grids.push_back(std::move(grid));
  }
  return grids;
}

/// Returns every grid of 2^d nodes once, for d = 0 .. most_dimensions.
inline std::vector<Grid> power_of_two_grids(int most_dimensions, AxisOrders orders = AxisOrders::all) {
  std::vector<Grid> grids;
  for (int d = 0; d <= most_dimensions; ++d) {
    for (Grid& grid : grids_of(std::size_t{1} << d, orders)) grids.push_back(std::move(grid));
  }
  return grids;
}

}  // namespace cubefold
