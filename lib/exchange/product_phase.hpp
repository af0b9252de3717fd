#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "moves.hpp"

namespace cubefold {

class ProductRounds;

/// Steps free of conflicts in which every node sends one message to every node that differs from it in nothing but one
/// given digit of each axis.
///
/// One permutation of every axis at a time, in all combinations. A combination with at most m classes on an axis takes
/// m steps; in step s the nodes send for which
///
///     sum over axes of class of own coordinate = s  (mod m).
///
/// The nodes of a line share their coordinates on all other axes, before or behind the message's own, and so all
/// messages on the line are of one class. With n nodes and n / 4 classes (n / 8 round a ring) on every axis, p n / 4 (p
/// n / 8) steps: the bisection bound of direct exchanges. Where permutations leave links free (radix 2; extents 3 and
/// 4), combinations without a link in common share their steps, if all ports may be used or a node is in another class
/// in each of them: p / 2 steps on hypercubes and tori of extent 4 with all ports.
class CUBEFOLD_API ProductPhase {
 public:
  /// Whether combinations share steps where they can.
  enum class Sharing : std::uint8_t { no, yes };

  /// One digit for each axis; radix 1 leaves an axis out. Throws std::invalid_argument for another number of digits,
  /// and as axis_permutations() does, which is most of the cost.
  ProductPhase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
               Sharing sharing = Sharing::yes);

  std::size_t step_count() const;

  /// O(product of the radices).
  Moves moves_of(GridNode node) const;

 private:
  Grid grid_;
  std::shared_ptr<const ProductRounds> rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< of each axis that has a digit
};

}  // namespace cubefold
