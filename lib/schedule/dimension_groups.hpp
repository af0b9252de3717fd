#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "task.hpp"

namespace cubefold {

enum class GroupKind : std::uint8_t {
  single,     ///< one dimension, at distance 2^position
  pair,       ///< two, at distances 2^position and 2^(position+1)
  ring_pair,  ///< the two highest of a ring under xor, both at distance 2^position, a quarter of the ring
  ring_tie,   ///< the highest of a ring under standard, half way round, 2^position
};

/// One or two dimensions of a task that lie on one axis and are scheduled together. Coordinates of equal residue mod
/// 2^position send in their slots at the same time; each slot sends one message from a node and receives one. What the
/// send slots of a group take from a link adds up to link_steps(), and groups of an axis fill the link one after the
/// other.
struct DimensionGroup {
  int axis;
  GroupKind kind;
  int position;
  int dimension;        ///< the higher one
  int lower_dimension;  ///< -1 where there is only one
  bool alternates;      ///< ring_tie whose even coordinates send up and whose odd ones send down

  bool has(int wanted) const { return wanted == dimension || wanted == lower_dimension; }
  std::uint32_t residue_count() const { return std::uint32_t{1} << position; }
  std::uint32_t slot_count() const { return kind == GroupKind::pair || kind == GroupKind::ring_pair ? 2 : 1; }
  std::uint32_t link_steps() const;

  /// The send slot in which a node sends in one of the group's dimensions: 0 or 1.
  std::uint32_t slot_of(int sent_dimension, std::uint32_t coordinate) const;
};

/// Per axis the groups of the task, from the longest distance to the shortest; nothing where an axis has no such form:
/// placements other than standard and xor, and the highest dimension of an open axis under xor.
/// Source: [Calmant] 3.2 for pairs and singles; rings are ours.
std::optional<std::vector<std::vector<DimensionGroup>>> dimension_groups_of(const Placement& placement,
                                                                            Task task, Tie tie);

/// A closed form for at most one group an axis on one port, in as many steps as the busiest link or a node's messages
/// ask for, whichever is more: T. <i, x> for every x <= 2c under the cyclic bit assignment.
///
/// With the send slots of a node numbered through its groups, send slot t goes in step
///
///     (sum over axes of w_j g_j  +  t)  mod T,      g_j the node's residue on axis j,
///
/// w_j the steps that a residue takes on a link: 2 for a pair, 1 for a single or ring pair, 1/2, rounded down, where
/// even and odd residues pass each other. A node's send slots follow one another, and are no more than T. Along axis j
/// only g_j changes, and the residues' send slots w_j g_j + t follow one another too.
///
/// [Calmant] 4.2 shifts by whole pairs of steps, 2 (sum of g_j + axis), mod LB / 2 of them: one step too long where LB
/// is odd, and with conflicts where there are fewer pairs of steps than axes.
class SlotFormula {
 public:
  /// Requires no two groups on one axis.
  explicit SlotFormula(std::vector<DimensionGroup> groups);

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Coordinates of the node, one per axis of the grid. O(groups).
  std::uint32_t step_of(std::size_t group, std::uint32_t slot,
                        std::span<const std::uint32_t> coordinates) const;

  /// The steps in which any node sends in a dimension of the group; in a group of two dimensions they are the same for
  /// both. Ascending. O(steps * groups * log residues).
  std::vector<std::uint32_t> steps_of(std::size_t group) const;

 private:
  std::vector<DimensionGroup> groups_;
  std::vector<std::uint32_t> first_slots_;  ///< of a group, counted through those before it
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
