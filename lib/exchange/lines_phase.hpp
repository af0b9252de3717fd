#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "moves.hpp"

namespace cubefold {

class LinesRounds;

/// Steps free of conflicts in which every node sends one message to every other node of each of the lines through it,
/// along all axes at the same time.
///
/// The permutations of all axes are taken in order, side by side. With one port and M steps, M at least the number of
/// axes on which somebody moves and of classes on any, a node sends along number a of these axes in the step s with
///
///     sum over axes of class of own coordinate = s + a  (mod M),
///
/// and receives along it in the same one, since classes are closed. Where they are not (extents that are neither a
/// power of two nor a multiple of 4 on lines) the axes take turns. With n nodes and n / 4 classes on each of c axes, n
/// M steps for c (n - 1) messages of each node: the bisection bound of one axis for all of them, if n / 4 >= c. In
/// every step somebody sends.
class CUBEFOLD_API LinesPhase {
 public:
  /// Most of the cost is that of axis_permutations().
  LinesPhase(const Grid& grid, Ports ports, Tie tie);

  std::size_t step_count() const;

  /// O(sum of the extents).
  Moves moves_of(GridNode node) const;

 private:
  Grid grid_;
  std::shared_ptr<const LinesRounds> rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< of each axis of more than one node
};

}  // namespace cubefold
