#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

namespace cubefold {

/// Says which ranks share the nodes of a network. The ranks on a node form a group and are consecutive: group g has the
/// ranks first_rank(g) .. first_rank(g + 1) - 1, and the k-th of them has slot k of its node. Messages within a group
/// use no link. Every node has at least one rank; without_nodes() makes a network without the others.
///
/// If every group has 2^k ranks, the low k dimensions of a cube of ranks stay inside nodes. Dimension i >= k is
/// dimension i - k of the groups, with 2^k messages in place of one.
class CUBEFOLD_API NodeSharing {
 public:
  /// Makes groups of per_node ranks on all nodes, which the placement puts there. Throws std::invalid_argument for
  /// per_node 0 and for more than 2^31 ranks.
  NodeSharing(const Placement& groups, std::size_t per_node);

  /// Makes the groups of a job whose process n runs on node_of_process[n]. The placement numbers the groups. Throws
  /// std::invalid_argument that names a node without a process, or a node beyond the grid. Costs O(processes + nodes).
  NodeSharing(const Placement& groups, std::span<const GridNode> node_of_process);

  const Grid& network() const { return groups_.grid(); }
  std::size_t group_count() const { return groups_.rank_count(); }
  std::size_t rank_count() const { return first_rank_.back(); }

  /// These take a group below group_count().
  GridNode node_of_group(std::size_t group) const { return groups_.node_of(static_cast<Rank>(group)); }
  std::size_t first_rank(std::size_t group) const { return first_rank_[group]; }
  std::size_t group_size(std::size_t group) const { return first_rank_[group + 1] - first_rank_[group]; }
  std::size_t largest_group() const { return largest_group_; }

  /// These require label(rank) < rank_count(), and cost O(1) if groups are equal, or else O(log groups).
  std::size_t group_of(Rank rank) const;
  GridNode node_of(Rank rank) const { return node_of_group(group_of(rank)); }
  std::size_t slot_of(Rank rank) const { return label(rank) - first_rank_[group_of(rank)]; }

  /// Returns whether all groups have the same number of ranks.
  bool is_even() const { return largest_group_ * group_count() == rank_count(); }

  /// Returns the placement whose ranks are the groups.
  const Placement& groups() const { return groups_; }

 private:
  void add_group(std::size_t size);

  Placement groups_;
  std::vector<std::size_t> first_rank_{0};  ///< of each group, and the number of ranks at the end
  std::size_t largest_group_ = 0;
};

/// Returns the node of every rank, in rank order. Costs O(ranks).
CUBEFOLD_API std::vector<GridNode> node_of_rank(const NodeSharing& sharing);

/// Returns the rank of every process of a job whose process n runs on node_of_process[n]: processes on a node take its
/// slots in ascending order. Requires a sharing that was made for this job. Costs O(processes + nodes).
CUBEFOLD_API std::vector<Rank> rank_of_process(const NodeSharing& sharing,
                                               std::span<const GridNode> node_of_process);

/// Returns a text such as "4 ranks on each node of torus:4x4" or "17 ranks on 16 nodes of torus:4x4".
CUBEFOLD_API std::string to_string(const NodeSharing& sharing);

/// Returns whether all nodes have equally many ranks and links follow from the axes.
CUBEFOLD_API bool has_slot_axis(const NodeSharing& sharing);

/// Returns a placement of the ranks on a grid with a node for every slot. If has_slot_axis(), that is the network's
/// grid with one axis more: axis 0 counts the slots of a node, as the axis T of Blue Gene's machines did. Otherwise it
/// is a line of all ranks, which says nothing of links.
CUBEFOLD_API Placement slot_placement(const NodeSharing& sharing);

}  // namespace cubefold
