#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "planner/launchers/allocation.hpp"
#include "planner/text/lines.hpp"

namespace cubefold::planner {

/// Collects the nodes of ranks as a file gives them, and complains at the line that does not fit.
class RankTable {
 public:
  RankTable(const Allocation& allocation, Lines& lines) : allocation_(allocation), lines_(lines) {}

  /// Places a rank. Fails for one that is none or has a node, for a node that the grid has not, and for one that is
  /// full.
  void place(std::uint64_t rank, std::uint64_t node);

  /// The ranks of formats in which line k is rank k.
  void place_next(std::uint64_t node) { place(placed_count_, node); }

  /// The node of a host. Fails for one that no node has.
  std::uint64_t node_of(std::string_view host) const;

  /// The node with those coordinates, axis 0 first. Fails for one that the grid has not.
  std::uint64_t node_at(const std::vector<std::uint64_t>& coordinates) const;

  /// The whole table. Fails unless all ranks are there.
  std::vector<GridNode> take() &&;

 private:
  const Allocation& allocation_;
  Lines& lines_;
  std::size_t placed_count_ = 0;
  std::vector<std::size_t> line_of_rank_ = std::vector<std::size_t>(allocation_.rank_count());  ///< 0: none
  std::vector<std::size_t> ranks_on_node_ = std::vector<std::size_t>(allocation_.grid.node_count());
  std::vector<GridNode> node_of_rank_ = std::vector<GridNode>(allocation_.rank_count());
};

/// The place of every rank among the ranks of its node, which take its slots in ascending order.
std::vector<std::size_t> slot_of_rank(const Allocation& allocation, std::span<const GridNode> node_of_rank);

}  // namespace cubefold::planner
