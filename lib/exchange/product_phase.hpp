#pragma once

#include <algorithm>
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

/// Permutations by their number among axis_permutations(), in groups.
using PermutationGroups = std::vector<std::vector<std::uint32_t>>;

/// Permutations of a digit in groups of equal size, none of which has a link in common with another of its group: that
/// which moves nobody beside the other of radix 2; on extents of 3 and 4 as many as fit, those with the most links
/// first. Groups of one where there is nothing better.
PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie);

/// Every permutation in a group of its own, in the order of the groups that they were in.
PermutationGroups one_by_one(const PermutationGroups& groups);

/// Which permutations of its axes a ProductPhase takes together, and in which steps. It follows from the shapes of the
/// permutations, so that steps can be counted without making them.
class ProductRounds {
 public:
  struct ActiveAxis {
    int axis;
    std::vector<PermutationShape> shapes;
    PermutationGroups groups;  ///< permutations of a group have no link in common
  };

  /// One permutation of each active axis, by its number among axis_permutations().
  using Combination = std::vector<std::uint32_t>;

  /// Steps that combinations share, and how many of them later than its classes say this one's messages are.
  struct Round {
    std::size_t first_step;
    std::size_t classes;
    std::size_t later;
  };

  /// One digit for each axis; radix 1 leaves an axis out. Throws as permutation_shapes() does, which is most of the
  /// cost besides O(product of the radices).
  ProductRounds(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                ProductPhase::Sharing sharing);

  const std::vector<ActiveAxis>& axes() const { return axes_; }
  std::size_t step_count() const { return step_count_; }

  /// Calls visit(round, combination) for all that move anybody; those of one round share its steps.
  template <typename Visit>
  void for_each_combination(Visit visit) const;

 private:
  bool can_share() const;
  bool moves_nobody(const Combination& combination) const;
  std::size_t class_count(const Combination& combination) const;
  static bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& limits);

  Ports ports_;
  std::vector<ActiveAxis> axes_;
  std::size_t shared_ = 1;  ///< combinations that share their steps
  std::size_t step_count_ = 0;
};

template <typename Visit>
void ProductRounds::for_each_combination(Visit visit) const {
  if (axes_.empty()) return;
  // A digit for the group of each axis, then one for how far each axis but the first is ahead of it within its group.
  std::vector<std::size_t> limits;
  for (const auto& axis : axes_) limits.push_back(axis.groups.size());
  limits.resize(2 * axes_.size() - 1, shared_);
  std::vector<std::size_t> digits(limits.size(), 0);
  std::vector<Combination> combinations(shared_, Combination(axes_.size()));
  std::size_t first_step = 0;
  do {
    std::size_t classes = 0;
    for (std::size_t member = 0; member < shared_; ++member) {
      for (std::size_t j = 0; j < axes_.size(); ++j) {
        const std::size_t ahead = j == 0 ? 0 : digits[axes_.size() + j - 1];
        combinations[member][j] = axes_[j].groups[digits[j]][(member + ahead) % shared_];
      }
      if (!moves_nobody(combinations[member])) classes = std::max(classes, class_count(combinations[member]));
    }
    if (classes == 0) continue;
    if (ports_ == Ports::one) classes = std::max(classes, shared_);
    for (std::size_t member = 0; member < shared_; ++member) {
      const std::size_t later = ports_ == Ports::one ? member : 0;
      if (!moves_nobody(combinations[member])) visit(Round{first_step, classes, later}, combinations[member]);
    }
    first_step += classes;
  } while (advance(digits, limits));
}

}  // namespace cubefold
