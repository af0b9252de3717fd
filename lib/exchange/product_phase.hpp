#pragma once

#include <algorithm>
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

class ProductRounds;

/// Builds steps without conflicts in which every node sends one message to every node that differs from it in one given
/// digit of each axis and in nothing else.
///
/// The phase uses one permutation of every axis at a time, in all combinations. A combination with at most m classes on
/// an axis takes m steps. In step s the nodes send for which
///
///     sum over axes of class of own coordinate = s  (mod m).
///
/// The nodes of a line share their coordinates on all other axes, before or behind the message's own axis, and so all
/// messages on the line are of one class. With n nodes and n / 4 classes (n / 8 on a ring) on every axis, the phase
/// takes p n / 4 (p n / 8) steps, which is the bisection bound of direct exchanges. Some permutations leave links free
/// (radix 2; extents 3 and 4). Combinations of them that have no link in common share their steps if all ports may be
/// used or if a node is in a different class in each of them. Hypercubes and tori of extent 4 thus take p / 2 steps
/// with all ports.
class CUBEFOLD_API ProductPhase {
 public:
  /// Says whether combinations share steps where they can.
  enum class Sharing : std::uint8_t { no, yes };

  /// Takes one digit for each axis; radix 1 leaves an axis out. Most of the time goes into axis_permutations(). Throws
  /// what axis_permutations() throws, and std::invalid_argument for another number of digits.
  ProductPhase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
               Sharing sharing = Sharing::yes);

  std::size_t step_count() const;

  /// Returns the messages that a node sends and receives. Costs O(product of the radices).
  Moves moves_of(GridNode node) const;

 private:
  Grid grid_;
  std::shared_ptr<const ProductRounds> rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< for each of ProductRounds::axes()
};

/// Lists groups of permutations, each by its index in axis_permutations().
using PermutationGroups = std::vector<std::vector<std::uint32_t>>;

/// Returns the permutations of a digit in groups of equal size. The permutations of a group have no link in common.
/// With radix 2, the permutation that moves nobody and the other one form a group. On extents of 3 and 4, a group has
/// as many permutations as fit, those with the most links first. Elsewhere, and if the groups would differ in size,
/// each group has one permutation.
PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie);

/// Returns a group for every permutation, in the order in which the given groups list them.
PermutationGroups one_by_one(const PermutationGroups& groups);

/// Assigns combinations of permutations to the steps of a ProductPhase. The assignment follows from the shapes of the
/// permutations, so that steps can be counted without building the permutations.
class ProductRounds {
 public:
  struct ActiveAxis {
    int axis;
    std::vector<PermutationShape> shapes;
    PermutationGroups groups;  ///< of permutations that have no link in common
  };

  /// Holds one permutation for each active axis, by its index in axis_permutations().
  using Combination = std::vector<std::uint32_t>;

  /// Holds the steps of a combination, which other combinations may share: the first step, the number of steps
  /// (`classes`), and by how many steps the combination's messages come later than their classes say.
  struct Round {
    std::size_t first_step;
    std::size_t classes;
    std::size_t later;
  };

  /// Takes one digit for each axis; radix 1 leaves an axis out. Takes O(product of the radices) time besides
  /// permutation_shapes(), which takes most of the time. Throws what permutation_shapes() throws, and
  /// std::invalid_argument for another number of digits.
  ProductRounds(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                ProductPhase::Sharing sharing);

  const std::vector<ActiveAxis>& axes() const { return axes_; }
  std::size_t step_count() const { return step_count_; }

  /// Calls visit(round, combination) for every combination that moves somebody. The combinations of one round share its
  /// steps.
  template <typename Visit>
  void for_each_combination(Visit visit) const;

 private:
  bool can_share() const;
  bool moves_nobody(const Combination& combination) const;
  std::size_t class_count(const Combination& combination) const;
  static bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& limits);

  Ports ports_;
  std::vector<ActiveAxis> axes_;
  std::size_t shared_ = 1;  ///< number of combinations that share their steps
  std::size_t step_count_ = 0;
};

template <typename Visit>
void ProductRounds::for_each_combination(Visit visit) const {
  if (axes_.empty()) return;
  // The first digits are the group of each axis. The others say, for each axis but the first, how far it is ahead of
  // the first within its group.
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
