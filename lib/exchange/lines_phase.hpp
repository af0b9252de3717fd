#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "grid_phases.hpp"
#include "moves.hpp"

namespace cubefold {

/// Describes steps in which several axes are used: permutation number k of every axis that has a permutation k which
/// moves somebody, or the whole phases of all axes.
struct LinesRound {
  struct Along {
    std::size_t axis;  ///< index in LinesRounds::axes()
    std::size_t
        class_count;    ///< number of steps with messages along the axis, or of classes if they are added
    std::size_t begin;  ///< step of the messages of class 0, mod step_count
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

/// Assigns the messages of a LinesPhase to steps. Steps can be counted without building permutations.
class LinesRounds {
 public:
  /// Builds the rounds. Most of the time goes into permutation_shapes() and digit_phase_steps().
  LinesRounds(const Grid& grid, Ports ports, Tie tie);

  /// Returns the axes that have more than one node.
  const std::vector<int>& axes() const { return axes_; }
  const std::vector<LinesRound>& rounds() const { return rounds_; }
  std::size_t step_count() const { return step_count_; }

  /// Returns whether the sum of a node's classes on all axes of a round says when it sends. Otherwise there is one
  /// round with the digit_phase() of each axis.
  bool adds_classes() const { return adds_classes_; }

 private:
  void add_shared_rounds(const Grid& grid, Tie tie);
  void add_axes(const Grid& grid, Ports ports, Tie tie);

  std::vector<int> axes_;
  std::vector<LinesRound> rounds_;
  bool adds_classes_ = false;
  std::size_t step_count_ = 0;
};

/// Builds steps without conflicts in which every node sends one message to every other node of each of the lines
/// through it, along all axes at the same time.
///
/// With all ports, the digit_phase() of each axis runs by itself, so that the phase takes as many steps as the longest
/// of them. With one port, the axes take turns unless all permutations of all axes have closed classes. They have on
/// lines whose extent is 3, a power of two or a multiple of 4, and on rings whose extent is 3 or a power of two. All
/// axes then use the permutations of the same number at the same time, in a round of M steps. M is the larger of two
/// numbers: the axes on which somebody moves, and the most classes on one of them. A node sends along number a of these
/// axes in the step s with
///
///     sum over axes of class of own coordinate = s + a  (mod M),
///
/// and receives along that axis in the same step. With n nodes and n / 4 classes on each of c axes, a phase has n M
/// steps for c (n - 1) messages of each node. If n / 4 >= c, all axes together take the bisection bound of one axis. In
/// every step somebody sends.
class CUBEFOLD_API LinesPhase {
 public:
  /// Builds the phase. Most of the time goes into axis_permutations() and digit_phase().
  LinesPhase(const Grid& grid, Ports ports, Tie tie);

  std::size_t step_count() const;

  /// Returns the messages that a node sends and receives. Costs O(sum of the extents).
  Moves moves_of(GridNode node) const;

 private:
  Moves moves_in_shared_rounds(GridNode node) const;
  Moves moves_along_axes(GridNode node) const;

  Grid grid_;
  std::shared_ptr<const LinesRounds> rounds_;
  std::vector<std::vector<AxisPermutation>>
      permutations_;                    ///< of each of LinesRounds::axes(), if classes are added
  std::vector<GridPhase> axis_phases_;  ///< of each axis otherwise
};

}  // namespace cubefold
