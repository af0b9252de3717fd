#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The number of hops of the route between every two nodes of a grid with a route table. Takes two bytes for each pair.
class RouteHops {
 public:
  /// Requires a grid with a route table. Costs O(nodes^2 + nodes * switches).
  explicit RouteHops(const Grid& grid);

  std::size_t node_count() const { return node_count_; }

  std::uint32_t operator()(GridNode from, GridNode to) const {
    return hops_[static_cast<std::size_t>(to) * node_count_ + static_cast<std::size_t>(from)];
  }

  /// Returns the hops of the shorter one of the routes between two nodes.
  std::uint32_t either_way(GridNode a, GridNode b) const { return std::min((*this)(a, b), (*this)(b, a)); }

 private:
  std::size_t node_count_;
  std::vector<std::uint16_t> hops_;  ///< at to * nodes + from
};

}  // namespace cubefold
