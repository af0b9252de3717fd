#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/values.hpp"

namespace cubefold::planner {

/// The node of every rank.
using Table = std::vector<std::size_t>;

/// The grid of a table, the number of ranks that each node must have, and the ranks that have to share a node. If the
/// numbers differ, the groups of ranks depend on the placement, and none are listed.
struct Capacity {
  Grid grid;
  std::vector<std::size_t> ranks_on_node;
  std::vector<std::size_t> group_of_rank;

  std::size_t rank_count() const {
    std::size_t sum = 0;
    for (const std::size_t count : ranks_on_node) sum += count;
    return sum;
  }
};

/// Returns the group of every rank. Without bricks, ranks r with equal r / per_node form a group. With a text such as
/// `16x12x8/1x2x2`, those of a brick do, and groups are counted with the last axis fastest. Throws
/// std::invalid_argument with the rule that the text breaks.
std::vector<std::size_t> groups_of_ranks(const std::optional<std::string>& bricks, std::size_t rank_count,
                                         std::size_t per_node);

/// Returns the table of an order: the listed table if there is one, or else the table of its rule. Adds errors and
/// returns nothing if the order is invalid.
std::optional<Table> table_of(const OrderClaim& order, const Capacity& capacity, Faults& faults);

/// Returns the table of the rule of an order, which programs will use, even if another table is listed. Adds an error
/// and returns nothing if the rule is invalid.
std::optional<Table> table_of_rule(const OrderClaim& order, const Capacity& capacity, Faults& faults);

}  // namespace cubefold::planner
