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

/// The grid of a table, and the number of ranks that each node must have.
struct Room {
  Grid grid;
  std::size_t per_node;

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// Returns the table of an order: the listed table if there is one, or else the table of its rule. Adds errors and
/// returns nothing if the order is invalid.
std::optional<Table> table_of(const OrderClaim& order, const Room& room, Faults& faults);

/// Returns the table of the rule of an order, which programs will use, even if another table is listed. Adds an error
/// and returns nothing if the rule is invalid.
std::optional<Table> table_of_rule(const OrderClaim& order, const Room& room, Faults& faults);

}  // namespace cubefold::planner
