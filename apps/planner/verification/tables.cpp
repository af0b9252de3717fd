#include "planner/verification/tables.hpp"

#include <cstdint>
#include <stdexcept>

#include "cubefold/embedding/placement.hpp"

namespace cubefold::planner {

namespace {

void require_full_nodes(const Table& table, const OrderClaim& order, const Room& room, Faults& faults) {
  std::vector<std::size_t> ranks_on_node(room.grid.node_count());
  for (const std::size_t node : table) ++ranks_on_node[node];
  for (std::size_t node = 0; node < ranks_on_node.size(); ++node) {
    if (ranks_on_node[node] == room.per_node) continue;
    faults.add("{}node_of_rank: node {} has {} ranks, not {}", order.where, node, ranks_on_node[node],
               room.per_node);
  }
}

}  // namespace

std::optional<Table> table_of(const OrderClaim& order, const Room& room, Faults& faults) {
  if (!order.node_of_rank) return table_of_rule(order, room, faults);
  const std::size_t before = faults.count();
  if (order.node_of_rank->size() != room.rank_count()) {
    faults.add("{}node_of_rank: {} ranks where there should be {}", order.where, order.node_of_rank->size(),
               room.rank_count());
  }
  Table table;
  for (const std::int64_t node : *order.node_of_rank) {
    if (node < 0 || static_cast<std::size_t>(node) >= room.grid.node_count()) {
      faults.add("{}node_of_rank: rank {} is on node {}, which {} has not", order.where, table.size(), node,
                 to_string(room.grid));
      return std::nullopt;
    }
    table.push_back(static_cast<std::size_t>(node));
  }
  require_full_nodes(table, order, room, faults);
  if (faults.count() != before) return std::nullopt;
  return table;
}

std::optional<Table> table_of_rule(const OrderClaim& order, const Room& room, Faults& faults) {
  try {
    Table table;
    for (const GridNode node : node_of_rank(Placement(room.grid, parse_placement(order.placement)))) {
      table.insert(table.end(), room.per_node, static_cast<std::size_t>(node));
    }
    return table;
  } catch (const std::invalid_argument& error) {
    faults.add("{}placement: {}", order.where, error.what());
    return std::nullopt;
  }
}

}  // namespace cubefold::planner
