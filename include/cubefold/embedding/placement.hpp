#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement_rule.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/gf2/bit_matrix.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Maps the ranks of an algorithm to the nodes of a grid and back, by the bijection that a placement rule defines.
///
/// All rules but by_weight and tables of nodes are linear maps over GF(2) from rank bits to node bits, so both
/// directions cost O(1) and take 4 KiB each, however large the grid is. by_weight adds O(d_j) per axis. A table of
/// nodes is looked up.
class CUBEFOLD_API Placement {
 public:
  /// Throws std::invalid_argument if the rule does not fit the grid. All rules but plain `identity` and tables of nodes
  /// need extents that are powers of two. There must be one embedding, or one per axis. The order and the axes of the
  /// bits must be valid for bit_places(). A table must have every node once.
  Placement(Grid grid, PlacementRule rule);

  const Grid& grid() const { return grid_; }
  const PlacementRule& rule() const { return rule_; }
  std::size_t rank_count() const { return grid_.node_count(); }

  /// Returns the node that the rank runs on. Requires label(rank) < rank_count().
  GridNode node_of(Rank rank) const {
    return is_linear_ ? static_cast<GridNode>(to_node_bits_(label(rank))) : nonlinear_node_of(rank);
  }

  /// Returns the rank that runs on the node; this is the inverse of node_of().
  Rank rank_of(GridNode node) const {
    return is_linear_ ? static_cast<Rank>(to_rank_bits_(static_cast<std::uint32_t>(node)))
                      : nonlinear_rank_of(node);
  }

 private:
  GridNode nonlinear_node_of(Rank rank) const;
  Rank nonlinear_rank_of(GridNode node) const;

  Grid grid_;
  PlacementRule rule_;
  bool is_linear_;
  SlicedMap to_node_bits_;
  SlicedMap to_rank_bits_;
  std::vector<Rank> rank_of_node_;  ///< inverse of rule_.nodes
};

/// Returns node_of() of every rank, in rank order. Costs O(ranks).
CUBEFOLD_API std::vector<GridNode> node_of_rank(const Placement& placement);

/// Returns rank_of() of every node, in node order. Costs O(nodes).
CUBEFOLD_API std::vector<Rank> rank_of_node(const Placement& placement);

/// Returns log2 of the number of ranks, which equals the number of nodes. Throws std::invalid_argument if that number
/// is no power of two.
CUBEFOLD_API int dimension_count(const Grid& grid);
CUBEFOLD_API int dimension_count(const Placement& placement);

}  // namespace cubefold
