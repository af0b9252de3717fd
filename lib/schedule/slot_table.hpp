#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "colouring.hpp"
#include "dimension_groups.hpp"

namespace cubefold {

/// Holds the steps of groups in a table over classes of nodes. With x_j a node's coordinate on axis j modulo the
/// largest residue count of that axis's groups, the class is the sum of all x_j together with their `detail` lowest
/// bits. Along an axis, the sum alone takes every residue of the axis's groups once, so a table of about as many
/// entries as a link has messages serves every grid of that shape, however large. Some tasks need the freedom that
/// detail adds.
class SlotTable {
 public:
  /// Returns a table in which the groups of an axis follow each other. Axes run at the same time if each link has a
  /// port of its own, and follow each other if not. No table has fewer steps for all ports or for a single axis.
  static SlotTable sequential(std::vector<DimensionGroup> groups, Ports ports);

  /// Searches for a one-port table of that many steps, and returns nothing if none is found. The answer is the same
  /// every time. The search is exact first and, unless that settles it, continues as a tabu search, both within fixed
  /// limits.
  static std::optional<SlotTable> search(const std::vector<DimensionGroup>& groups, std::uint32_t step_count);

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Returns the step of a group's send slot at the node with these coordinates, one per axis of the grid. Costs
  /// O(groups).
  std::uint32_t step_of(std::size_t group, std::uint32_t slot,
                        std::span<const std::uint32_t> coordinates) const {
    return steps_[index_of(group, slot, coordinates)];
  }

  /// Returns the steps in which any node sends in a dimension of the group, each step as often as a class of nodes has
  /// it. In a group of two dimensions both have the same steps.
  std::vector<std::uint32_t> steps_of(std::size_t group) const;

 private:
  /// Describes one of the axes that groups are on.
  struct TableAxis {
    int axis;
    int bit_count;  ///< number of bits of its highest group's residues
  };

  SlotTable(std::vector<DimensionGroup> groups, int detail);

  /// Returns the place of a send slot in steps_. Groups of an axis lie together, the highest first.
  std::size_t index_of(std::size_t group, std::uint32_t slot,
                       std::span<const std::uint32_t> coordinates) const;
  std::uint32_t fill(std::size_t group, std::uint32_t begin, Ports ports);
  template <typename Visit>
  void for_each_class(Visit visit) const;
  ConflictGraph conflict_graph() const;
  void add_node(ConflictGraph& graph, std::span<const std::uint32_t> coordinates) const;
  void add_line(ConflictGraph& graph, std::size_t table_axis, std::vector<std::uint32_t> coordinates) const;

  std::vector<DimensionGroup> groups_;
  int detail_;
  std::vector<TableAxis> axes_;
  std::vector<std::size_t> begins_;  ///< place in steps_ at which each group begins
  std::vector<std::uint32_t> steps_;
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
