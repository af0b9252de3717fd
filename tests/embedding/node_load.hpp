#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "cubefold/embedding/dilation.hpp"
#include "cubefold/topology/route.hpp"
#include "embedding/cube_loads.hpp"

namespace cubefold {

/// Holds the numbers of cube links that begin at, end at or pass through a node, over all nodes. Source: [Xor] section
/// 4.
struct NodeLoad {
  std::uint64_t maximum;
  std::uint64_t minimum;
  double average;
};

/// Counts the cube links at every node, each on the balanced route from its lower rank to its higher one.
inline NodeLoad node_load(const Placement& placement) {
  const Grid& grid = placement.grid();
  std::vector<std::uint64_t> loads(placement.rank_count());
  LinkLoads link_loads(grid, Tie::balanced);
  for_each_cube_link(placement, [&](int, GridNode from, GridNode to) {
    ++loads[static_cast<std::size_t>(from)];
    link_loads.add(from, to);
  });
  const auto by_link = link_loads.by_link_index();
  for (const Link& link : links_of(grid))
    loads[static_cast<std::size_t>(end_of(grid, link))] += by_link[link_index(grid, link)];
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  const auto sum = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
  return {*most, *least, static_cast<double>(sum) / static_cast<double>(loads.size())};
}

/// Returns the node load by formulas, for `standard` and `xor` on axes of 2^q nodes. The load of a grid is the sum of
/// those of its axes:
///
/// | axis      | most                  | least           |
/// |-----------|-----------------------|-----------------|
/// | line      | nu(q)                 | q               |
/// | ring      | nu(q-1) + 2^(q-2) + 1 | q - 1 + 2^(q-2) |
/// | ring, xor | nu(q-2) + 2^(q-2) + 1 | q - 1 + 2^(q-2) |
///
/// nu(q) = floor((2^(q+1) - 1) / 3) + floor(q/2). A wrapped axis with q = 1 is a line. Sources: [Xor] section 4 for
/// rings; the formulas of lines are our own.
inline NodeLoad node_load_by_formula(const Placement& placement) {
  const auto nu = [](int q) { return ((std::uint64_t{2} << q) - 1) / 3 + static_cast<std::uint64_t>(q) / 2; };
  const Grid& grid = placement.grid();
  const auto ranks = static_cast<double>(placement.rank_count());
  // A route has one node more than hops.
  NodeLoad load{0, 0,
                static_cast<double>(total_dilation(dilation_spectrum(placement))) / ranks +
                    std::countr_zero(placement.rank_count()) / 2.0};
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const int q = std::countr_zero(grid.extent(axis));
    if (!grid.has_wrap_link(axis)) {
      load.maximum += nu(q);
      load.minimum += static_cast<std::uint64_t>(q);
      continue;
    }
    const bool is_xor = embedding_on(placement.rule(), axis) == Embedding::xor_;
    const auto quarter = std::uint64_t{1} << (q - 2);
    load.maximum += nu(q - (is_xor ? 2 : 1)) + quarter + 1;
    load.minimum += static_cast<std::uint64_t>(q) - 1 + quarter;
  }
  return load;
}

}  // namespace cubefold
