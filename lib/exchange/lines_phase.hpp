#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "moves.hpp"

namespace cubefold {

/// Holds permutation number k of every axis that has a permutation k which moves somebody. The axes are used at the
/// same time.
struct LinesRound {
  struct Along {
    std::size_t axis;           ///< index in LinesRounds::axes()
    std::uint32_t class_count;  ///< number of classes of the axis's permutation
    std::size_t begin;          ///< step of the messages of class 0, mod step_count
  };

  std::size_t first_step;
  std::size_t step_count;
  std::vector<Along> along;

  /// Returns the step, within the round, of a message along an axis. `classes` is the class of the sender on that axis,
  /// or the sum of its classes on all axes of the round if LinesRounds::adds_classes().
  std::size_t step_of(const Along& axis, std::size_t classes) const {
    return (axis.begin + classes) % step_count;
  }
};

/// Assigns the permutations of a LinesPhase to steps. The assignment follows from the shapes of the permutations, so
/// that steps can be counted without building the permutations.
class LinesRounds {
 public:
  /// Builds the rounds. Most of the time goes into permutation_shapes().
  LinesRounds(const Grid& grid, Ports ports, Tie tie);

  /// Returns the axes that have more than one node.
  const std::vector<int>& axes() const { return axes_; }
  const std::vector<LinesRound>& rounds() const { return rounds_; }
  std::size_t step_count() const { return step_count_; }

  /// Returns whether the sum of a node's classes on all axes of a round says when it sends. Otherwise the class on each
  /// axis says when it sends along that axis.
  bool adds_classes() const { return adds_classes_; }

 private:
  std::vector<int> axes_;
  std::vector<LinesRound> rounds_;
  bool adds_classes_ = false;
  std::size_t step_count_ = 0;
};

/// Builds steps without conflicts in which every node sends one message to every other node of each of the lines
/// through it, along all axes at the same time.
///
/// The permutations of an axis are used in order, and all axes use the permutation of the same number at the same time.
/// With one port, a round has M steps. M is the larger of two numbers: the axes on which somebody moves, and the most
/// classes on one of them. A node sends along number a of these axes in the step s with
///
///     sum over axes of class of own coordinate = s + a  (mod M),
///
/// and receives along that axis in the same step, since classes are closed. Classes may not be closed on a line unless
/// its extent is 3, a power of two or a multiple of 4, and on a ring unless its extent is 3 or a power of two; then the
/// axes take turns. With n nodes and n / 4 classes on each of c axes, a phase has n M steps for c (n - 1) messages of
/// each node. If n / 4 >= c, all axes together take the bisection bound of one axis. In every step somebody sends.
class CUBEFOLD_API LinesPhase {
 public:
  /// Builds the phase. Most of the time goes into axis_permutations().
  LinesPhase(const Grid& grid, Ports ports, Tie tie);

  std::size_t step_count() const;

  /// Returns the messages that a node sends and receives. Costs O(sum of the extents).
  Moves moves_of(GridNode node) const;

 private:
  Grid grid_;
  std::shared_ptr<const LinesRounds> rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< for each of LinesRounds::axes()
};

}  // namespace cubefold
