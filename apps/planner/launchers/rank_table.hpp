#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/launchers/allocation.hpp"
#include "planner/text/lines.hpp"

namespace cubefold::planner {

/// Collects the node of every rank while a file is read. Errors are std::runtime_error with the file and the current
/// line.
class RankTable {
 public:
  RankTable(const Allocation& allocation, Lines& lines) : allocation_(allocation), lines_(lines) {}

  /// Places a rank on a node. Fails if the rank does not exist or already has a node, and if the node does not exist or
  /// already has all its ranks.
  void place(std::uint64_t rank, std::uint64_t node);

  /// Places the next rank, for formats that list the ranks in ascending order.
  void place_next(std::uint64_t node) { place(placed_count_, node); }

  /// Returns the node of a host. Fails if no node has this host.
  std::uint64_t node_of(std::string_view host) const;

  /// Returns the node with these coordinates, axis 0 first, in the whole network of the allocation's grid. Fails if a
  /// coordinate is beyond the extent of its axis, and if the job does not have that node.
  std::uint64_t node_at(const WholeNetwork& whole, const std::vector<std::uint64_t>& coordinates) const;

  /// Returns the node that has this number in the whole network. Fails if the job does not have that node.
  std::uint64_t node_numbered(const WholeNetwork& whole, std::uint64_t number) const;

  /// Returns the node of every rank. Fails if a rank is missing.
  std::vector<GridNode> take() &&;

 private:
  const Allocation& allocation_;
  Lines& lines_;
  std::size_t placed_count_ = 0;
  std::size_t rank_count_ = allocation_.rank_count();
  /// Line of the file that placed each rank, or 0 if none did so far.
  std::vector<std::size_t> line_of_rank_ = std::vector<std::size_t>(rank_count_);
  std::vector<std::size_t> ranks_on_node_ = std::vector<std::size_t>(allocation_.grid.node_count());
  std::vector<GridNode> node_of_rank_ = std::vector<GridNode>(rank_count_);
};

/// Returns the slot of every rank on its node. The ranks of a node take its slots in ascending order.
std::vector<std::size_t> slot_of_rank(const Allocation& allocation, std::span<const GridNode> node_of_rank);

}  // namespace cubefold::planner
