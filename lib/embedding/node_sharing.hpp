#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

namespace cubefold {

/// Places several ranks on every node. Ranks with equal label / per_node form a group. A placement puts groups on
/// nodes, and its ranks are the numbers of the groups. Messages within a group use no link.
///
/// With per_node = 2^k the low k dimensions stay inside nodes. Dimension i >= k is dimension i - k of the groups, with
/// per_node messages in place of one.
class CUBEFOLD_API NodeSharing {
 public:
  /// Throws std::invalid_argument for per_node 0 and for more than 2^31 ranks.
  NodeSharing(Placement groups, std::size_t per_node);

  const Placement& groups() const { return groups_; }
  std::size_t per_node() const { return per_node_; }
  std::size_t rank_count() const { return groups_.rank_count() * per_node_; }

  /// Returns the node that the rank runs on. Requires label(rank) < rank_count().
  GridNode node_of(Rank rank) const {
    return groups_.node_of(static_cast<Rank>(label(rank) / static_cast<std::uint32_t>(per_node_)));
  }

 private:
  Placement groups_;
  std::size_t per_node_;
};

/// Returns node_of() of every rank, in rank order. Costs O(ranks).
CUBEFOLD_API std::vector<GridNode> node_of_rank(const NodeSharing& sharing);

/// Returns the per_node() ranks on a node, in ascending order. Requires that the grid has the node.
CUBEFOLD_API std::vector<Rank> ranks_on(const NodeSharing& sharing, GridNode node);

}  // namespace cubefold
