#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "colouring.hpp"
#include "dimension_groups.hpp"

namespace cubefold {

/// Steps of groups as a table over classes of nodes. With x_j a node's coordinate on axis j modulo the largest residue
/// count of that axis's groups, the class is the sum of all x_j and their `detail` lowest bits. Moving along an axis,
/// the sum alone takes every residue of the axis's groups once: a table of about as many entries as a link has messages
/// serves every grid of that shape, however large. Detail is freedom that some tasks need.
class SlotTable {
 public:
  /// Groups of an axis after each other, axes at the same time if each link has a port of its own and else after each
  /// other. The best there is for all ports, and for a single axis.
  static SlotTable sequential(std::vector<DimensionGroup> groups, Ports ports);

  /// A one-port table of that many steps, the same every time; nothing if none is found. First exactly, and unless that
  /// settles it by tabu search, both within fixed limits.
  static std::optional<SlotTable> search(const std::vector<DimensionGroup>& groups, std::uint32_t step_count);

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Coordinates of the node, one per axis of the grid. O(groups).
  std::uint32_t step_of(std::size_t group, std::uint32_t slot,
                        std::span<const std::uint32_t> coordinates) const {
    return steps_[index_of(group, slot, coordinates)];
  }

  /// The steps in which any node sends in a dimension of the group, each as often as a class of nodes does; in a group
  /// of two dimensions they are the same for both.
  std::vector<std::uint32_t> steps_of(std::size_t group) const;

 private:
  /// One of the axes that groups are on.
  struct TableAxis {
    int axis;
    int bit_count;  ///< of its highest group's residues
  };

  SlotTable(std::vector<DimensionGroup> groups, int detail);

  /// Groups of an axis lie together, the highest first.
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
  std::vector<std::size_t> begins_;  ///< of a group in steps_
  std::vector<std::uint32_t> steps_;
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
