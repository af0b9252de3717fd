#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "moves.hpp"

namespace cubefold {

/// Permutation k of all axes that have one and on which it moves anybody, side by side.
struct LinesRound {
  struct Along {
    std::size_t axis;           ///< among LinesRounds::axes()
    std::uint32_t class_count;  ///< of the axis's permutation
    std::size_t begin;          ///< where in the round the messages of class 0 are
  };

  std::size_t first_step;
  std::size_t step_count;
  std::vector<Along> along;

  /// The step, within the round, of a message along an axis; `classes` is that of LinesRounds::adds_classes().
  std::size_t step_of(const Along& axis, std::size_t classes) const {
    return (axis.begin + classes) % step_count;
  }
};

/// In which steps a LinesPhase takes its permutations. It follows from the shapes of the permutations, so that steps
/// can be counted without making them.
class LinesRounds {
 public:
  /// Most of the cost is that of permutation_shapes().
  LinesRounds(const Grid& grid, Ports ports, Tie tie);

  /// Those of more than one node.
  const std::vector<int>& axes() const { return axes_; }
  const std::vector<LinesRound>& rounds() const { return rounds_; }
  std::size_t step_count() const { return step_count_; }

  /// Whether the classes of a node on all axes of a round say together when it sends, or each that of its own axis.
  bool adds_classes() const { return adds_classes_; }

 private:
  std::vector<int> axes_;
  std::vector<LinesRound> rounds_;
  bool adds_classes_ = false;
  std::size_t step_count_ = 0;
};

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
