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

/// Returns the least number of steps of a phase in which every node sends one message to every node that differs from
/// it in the coordinates of the given axes and in nothing else: the messages over the busiest link and, with one port,
/// those of a node. Costs O(extent^2) for each axis.
CUBEFOLD_API std::size_t least_steps(const Grid& grid, const std::vector<int>& axes, Ports ports, Tie tie);

/// Builds the steps of such a phase without conflicts. They are the PatternProduct with the fewest steps of those that
/// are tried: patterns of one kind on all axes that have it, or of groups that go one way on some axes, and of the kind
/// `halves` on the others. If it takes more than least_steps() on at most 400 nodes, OrbitSteps are searched for that
/// take fewer.
///
/// One axis of an extent up to 16 takes least_steps(), except that a ring of 4 whose ties all go up takes 4 steps for 3
/// with one port. docs/exchange-steps.md has the figures for several axes.
class CUBEFOLD_API PatternPhase {
 public:
  /// Takes axes of more than one node, in ascending order. Costs O(extent^2) for each axis besides axis_permutations().
  /// With one port it also costs O(product of the extents); with all ports this comes for each product that is tried,
  /// up to 2^axes of them, with a DirectionPacking. The search for OrbitSteps comes in addition.
  PatternPhase(Grid grid, std::vector<int> axes, Ports ports, Tie tie);

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
  std::optional<OrbitSteps> orbits_;  ///< used instead of the product if there are any
};

}  // namespace cubefold
