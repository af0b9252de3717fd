#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/faults.hpp"

namespace cubefold::planner {

/// The node of every rank.
using Table = std::vector<std::size_t>;

/// The grid that tables are of, and how many ranks each of its nodes has to have.
struct Room {
  Grid grid;
  std::size_t per_node;

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// The table of an order, as it is listed or else by its rule; nothing, and faults, if it is none.
std::optional<Table> table_of(const OrderClaim& order, const Room& room, Faults& faults);

/// The same by its rule, whether a table is listed or not: what programs will use.
std::optional<Table> table_of_rule(const OrderClaim& order, const Room& room, Faults& faults);

}  // namespace cubefold::planner
