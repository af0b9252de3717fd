#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "moves.hpp"
#include "orbit_steps.hpp"
#include "pattern_product.hpp"

namespace cubefold {

/// Builds steps without conflicts in which every node sends one message to every node that differs from it in the
/// coordinates of the given axes and in nothing else. The steps are the PatternProduct of the axes with the fewest
/// steps: all kinds of patterns are tried. If all ports may be used and it takes more than 1.1 times as many steps as
/// the busiest link has messages, on at most 400 nodes, OrbitSteps are searched for.
///
/// With extents of at most 16, the steps of one axis are as many as the bound of its links and the ports.
/// docs/exchange.md has the figures for several axes.
class CUBEFOLD_API WholePhase {
 public:
  /// Takes axes of more than one node, in ascending order. Costs O(extent^2) for each axis and O(product of the
  /// extents) besides axis_permutations().
  WholePhase(Grid grid, std::vector<int> axes, Ports ports, Tie tie);

  std::size_t step_count() const { return orbits_ ? orbits_->step_count() : product_.step_count(); }

  /// Returns the messages that a node sends and receives. Costs O(axes) for each message.
  Moves moves_of(GridNode node) const;

 private:
  std::size_t step_of(const std::vector<std::uint32_t>& source,
                      const std::vector<std::uint32_t>& destination) const;

  Grid grid_;
  std::vector<int> axes_;
  Grid axes_grid_;  ///< the grid of the axes alone
  PatternProduct product_;
  std::optional<OrbitSteps> orbits_;  ///< used instead of the product
};

}  // namespace cubefold
