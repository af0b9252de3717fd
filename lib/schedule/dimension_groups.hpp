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
  pair,       ///< two dimensions, at distances 2^position and 2^(position+1)
  ring_pair,  ///< the two highest dimensions of a ring under xor, both a quarter of the ring, 2^position
  ring_tie,   ///< the highest dimension of a ring under standard, half of the ring, 2^position
};

/// Describes one or two dimensions of a task that lie on one axis and are scheduled together. Coordinates of equal
/// residue mod 2^position send in their slots at the same time. In each slot a node sends one message and receives one.
/// The steps that the send slots of a group take from a link add up to link_steps(), and the groups of an axis fill the
/// link one after the other.
struct DimensionGroup {
  int axis;
  GroupKind kind;
  int position;
  int dimension;        ///< the higher dimension
  int lower_dimension;  ///< the lower dimension, or -1 if there is only one
  bool alternates;      ///< whether, in a ring_tie, even coordinates send up and odd ones down

  bool has(int wanted) const { return wanted == dimension || wanted == lower_dimension; }
  std::uint32_t residue_count() const { return std::uint32_t{1} << position; }
  std::uint32_t slot_count() const { return kind == GroupKind::pair || kind == GroupKind::ring_pair ? 2 : 1; }
  std::uint32_t link_steps() const;

  /// Returns the send slot, 0 or 1, in which the node at this coordinate sends in one of the group's dimensions.
  std::uint32_t slot_of(int sent_dimension, std::uint32_t coordinate) const;
};

/// Returns for each axis the groups of the task, from the longest distance to the shortest. Returns nothing if an axis
/// has no such form: for placements other than identity, standard and xor, and for the highest dimension of an open
/// axis under xor. Source: [Calmant] 3.2 for pairs and singles; rings are our own.
std::optional<std::vector<std::vector<DimensionGroup>>> dimension_groups_of(const Placement& placement,
                                                                            Task task, Tie tie);

/// Computes the steps of a task in closed form, for at most one group per axis and one port. The number of steps T is
/// the load of the busiest link or the number of messages of a node, whichever is larger. This covers <i, x> for every
/// x <= 2c under the cyclic bit assignment on c axes.
///
/// If the send slots of a node are numbered through its groups, send slot t goes in step
///
///     (sum over axes of w_j g_j  +  t)  mod T,      g_j the node's residue on axis j,
///
/// where w_j is the number of steps that a residue takes on a link: 2 for a pair, 1 for a single or a ring pair, and
/// 1/2, rounded down, where even and odd residues pass each other. The send slots of a node follow one another, and
/// there are no more than T of them. Along axis j only g_j changes, and the send slots w_j g_j + t of the residues
/// follow one another too.
///
/// [Calmant] 4.2 shifts by whole pairs of steps, 2 (sum of g_j + axis), mod LB / 2 of them. That takes one step too
/// many where LB is odd, and has conflicts where there are fewer pairs of steps than axes.
class SlotFormula {
 public:
  /// Requires that no two groups lie on one axis.
  explicit SlotFormula(std::vector<DimensionGroup> groups);

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Returns the step of a group's send slot at the node with these coordinates, one per axis of the grid. Costs
  /// O(groups).
  std::uint32_t step_of(std::size_t group, std::uint32_t slot,
                        std::span<const std::uint32_t> coordinates) const;

  /// Returns the steps in which any node sends in a dimension of the group, in ascending order. In a group of two
  /// dimensions both have the same steps. Costs O(steps * groups * log residues).
  std::vector<std::uint32_t> steps_of(std::size_t group) const;

 private:
  std::vector<DimensionGroup> groups_;
  std::vector<std::uint32_t> first_slots_;  ///< first send slot of each group, counted through all groups
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
