#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "moves.hpp"
#include "pattern_product.hpp"

namespace cubefold {

/// Builds steps without conflicts in which every node sends one message to every node that differs from it in the
/// coordinates of the given axes and in nothing else. The steps are the PatternProduct of the axes with the fewest
/// steps: all kinds of patterns are tried.
///
/// With extents of at most 16, the steps are as many as the bound of the links and the ports for every line and every
/// ring; docs/exchange.md has the figures for several axes.
class CUBEFOLD_API WholePhase {
 public:
  /// Takes axes of more than one node, in ascending order. Costs O(extent^2) for each axis and O(product of the extents)
  /// besides axis_permutations().
  WholePhase(const Grid& grid, std::vector<int> axes, Ports ports, Tie tie);

  std::size_t step_count() const { return product_.step_count(); }

  /// Returns the messages that a node sends and receives. Costs O(axes) for each message.
  Moves moves_of(GridNode node) const;

 private:
  Grid grid_;
  std::vector<int> axes_;
  PatternProduct product_;
};

}  // namespace cubefold
