#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/values.hpp"

namespace cubefold::planner {

/// The node of every rank.
using Table = std::vector<std::size_t>;

/// The grid of a table, and the number of ranks that each of its nodes must have.
struct Room {
  Grid grid;
  std::size_t per_node;

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// Returns the table of an order, as it is listed or else by its rule. Returns nothing and adds errors if it is
/// invalid.
std::optional<Table> table_of(const OrderClaim& order, const Room& room, Faults& faults);

/// Returns the table of an order by its rule, even if a table is listed. Programs will use this table.
std::optional<Table> table_of_rule(const OrderClaim& order, const Room& room, Faults& faults);

}  // namespace cubefold::planner
