#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Messages per directed link of a grid, all routed in dimension order under one tie rule.
/// Memory: 2 * axes counters per node.
class CUBEFOLD_API LinkLoads {
 public:
  LinkLoads(Grid grid, Tie tie);

  /// Adds a message's route: O(hops).
  void add(GridNode from, GridNode to);

  std::uint64_t on(const Link& link) const { return loads_[link_index(grid_, link)]; }

  /// The largest load of any link; 0 without links. O(links).
  std::uint64_t busiest() const;

  /// Messages times the hops each takes. O(links).
  std::uint64_t total_hops() const;

 private:
  Grid grid_;
  Tie tie_;
  std::vector<std::uint64_t> loads_;
};

}  // namespace cubefold
