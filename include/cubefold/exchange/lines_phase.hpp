#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/exchange/axis_permutations.hpp"
#include "cubefold/exchange/moves.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Steps free of conflicts in which every node sends one message to every other node of each of the lines through it, along
/// all axes at the same time.
///
/// The permutations of all axes are taken in order, side by side. With one port and M classes, M at least the number of axes
/// and of classes on any, a node sends along axis a in the step s of M with
///
///     sum over axes of class of own coordinate = s + a  (mod M),
///
/// and receives along it in the same one, since classes are closed. Where they are not (extents that are neither a power of
/// two nor a multiple of 4 on lines) the axes take turns. With n nodes and n / 4 classes on each of c axes, n M steps
/// for c (n - 1) messages of each node: the bisection bound of one axis for all of them, if n / 4 >= c.
class CUBEFOLD_API LinesPhase {
 public:
  /// Most of the cost is that of axis_permutations().
  LinesPhase(const Grid& grid, Ports ports, Tie tie);

  std::size_t step_count() const { return step_count_; }

  /// O(sum of the extents).
  Moves moves_of(GridNode node) const;

 private:
  struct ActiveAxis {
    int axis;
    std::vector<AxisPermutation> permutations;
  };

  /// Where round k begins and how its steps are shared out; axes take turns where it says so.
  struct Round {
    std::size_t first_step;
    std::size_t step_count;
  };

  void add_round(std::size_t k);
  const AxisPermutation* permutation(std::size_t axis, std::size_t round) const;
  std::size_t step_of(const std::vector<std::uint32_t>& from, std::size_t axis, std::size_t round) const;

  Grid grid_;
  Ports ports_;
  std::vector<ActiveAxis> axes_;
  std::vector<Round> rounds_;
  bool take_turns_ = false;
  std::size_t step_count_ = 0;
};

}  // namespace cubefold
