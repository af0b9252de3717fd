#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "closed_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "grid_phases.hpp"
#include "moves.hpp"

namespace cubefold {

/// Describes steps in which one axis is used or several are: a permutation of each of them, or their whole phases.
struct LinesRound {
  struct Along {
    std::size_t axis;  ///< index in LinesRounds::axes()
    std::size_t
        class_count;    ///< number of steps with messages along the axis, or of classes if they are added
    std::size_t begin;  ///< step of the messages of class 0, mod step_count
    std::size_t permutation = 0;  ///< number of the axis's closed_permutations(), if classes are added
  };

  std::size_t first_step;
  std::size_t step_count;
  std::vector<Along> along;
  /// Says whether the sum of a node's classes on all axes of the round tells when it sends. Otherwise the round has the
  /// digit_phase() of each of its axes.
  bool adds_classes;

  /// Returns the step, within the round, of a message along an axis. `classes` is the class of the sender on that axis,
  /// or the sum of its classes on all axes of the round if classes are added.
  std::size_t step_of(const Along& axis, std::size_t classes) const {
    return (axis.begin + classes) % step_count;
  }
};

/// Holds the number of classes of each permutation of each axis, in descending order for each axis. It is empty for an
/// axis that is left out.
using ClassCounts = std::vector<std::vector<std::uint32_t>>;

/// Returns rounds in which every permutation of every axis is used once, of one axis or of several axes. A round takes
/// max(c, m) steps if it has c axes and at most m classes on one of them. If `lengths` has the blocks of the longest
/// message along each axis, every step takes those of the longest axis of its round. As long as any two rounds take
/// fewer blocks together than one after the other, or as many in fewer steps, those are joined that save the most.
/// Costs O((axes * different numbers of classes)^3 + permutations).
CUBEFOLD_API std::vector<LinesRound> shared_rounds(const ClassCounts& counts,
                                                   const std::vector<std::uint64_t>& lengths);

/// Returns the axes of a grid that have more than one node, in ascending order.
std::vector<int> long_axes(const Grid& grid);

/// Assigns the messages of a LinesPhase to steps. Steps can be counted without building permutations.
class LinesRounds {
 public:
  /// Builds the rounds. `lengths` has the blocks of the longest message along each of long_axes(). Most of the time
  /// goes into closed_class_counts() and digit_phase_steps().
  LinesRounds(const Grid& grid, std::vector<std::uint64_t> lengths, Ports ports, Tie tie);

  /// Returns long_axes() of the grid.
  const std::vector<int>& axes() const { return axes_; }
  const std::vector<LinesRound>& rounds() const { return rounds_; }
  std::size_t step_count() const { return step_count_; }

  /// Returns whether an axis, by its index in axes(), shares steps with others. Its permutations are
  /// closed_permutations() with tables().
  bool shares(std::size_t axis) const { return !counts_[axis].empty(); }

  /// Returns Tables::no if an axis has more than 256 nodes. The messages of every step are then too many to count, and
  /// only permutations that follow from formulas are used.
  Tables tables() const { return tables_; }

 private:
  void choose_axes_that_share(const Grid& grid, Tie tie);
  std::uint64_t blocks_of(const ClassCounts& counts) const;
  void add_all_at_once(const Grid& grid, Tie tie);
  void add(LinesRound round);

  std::vector<int> axes_;
  std::vector<std::uint64_t> lengths_;
  Tables tables_ = Tables::yes;
  ClassCounts counts_;                    ///< of the axes that share steps
  std::vector<std::size_t> whole_steps_;  ///< steps of the digit_phase() of each other axis
  std::vector<LinesRound> rounds_;
  std::size_t step_count_ = 0;
};

/// Builds steps without conflicts in which every node sends one message to every other node of each of the lines
/// through it, along all axes at the same time.
///
/// With all ports, the digit_phase() of each axis runs by itself, so that the phase takes as many steps as the longest
/// of them. With one port, an axis takes its turn with its digit_phase(), or its permutations share steps with those of
/// other axes. They can if it has closed_permutations(): lines and rings of up to 15 nodes, lines of a multiple of 4
/// and rings of a power of two. If permutations of c axes with at most m classes share a round of M = max(c, m) steps,
/// a node sends along number a of these axes in the step s with
///
///     sum over axes of class of own coordinate = s + a  (mod M),
///
/// and receives along that axis in the same step. In every step somebody sends. With n <= 15 nodes on each of c axes
/// and balanced ties, a phase takes as many steps as the busiest link has messages or as a node sends messages,
/// whichever are more.
class CUBEFOLD_API LinesPhase {
 public:
  /// Builds the phase. `lengths` has the blocks of the longest message along each of long_axes(); without it they are
  /// equal. Most of the time goes into closed_permutations() and digit_phase().
  LinesPhase(const Grid& grid, Ports ports, Tie tie, std::vector<std::uint64_t> lengths = {});

  std::size_t step_count() const;

  /// Returns the messages that a node sends and receives. Costs O(sum of the extents).
  Moves moves_of(GridNode node) const;

 private:
  void add_shared_moves(const LinesRound& round, GridNode node, Moves& moves) const;
  void add_whole_moves(const LinesRound& round, GridNode node, Moves& moves) const;

  Grid grid_;
  std::shared_ptr<const LinesRounds> rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< of each axis that shares steps
  std::vector<GridPhase> axis_phases_;                      ///< of each other axis
};

}  // namespace cubefold
