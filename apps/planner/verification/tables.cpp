#include "planner/verification/tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "cubefold/embedding/placement.hpp"
#include "planner/verification/pattern_text.hpp"

namespace cubefold::planner {

namespace {

void require_full_nodes(const Table& table, const OrderClaim& order, const Capacity& capacity,
                        Faults& faults) {
  std::vector<std::size_t> ranks_on_node(capacity.grid.node_count());
  for (const std::size_t node : table) ++ranks_on_node[node];
  for (std::size_t node = 0; node < ranks_on_node.size(); ++node) {
    if (ranks_on_node[node] == capacity.ranks_on_node[node]) continue;
    faults.add("{}node_of_rank: node {} has {} ranks, not {}", order.where, node, ranks_on_node[node],
               capacity.ranks_on_node[node]);
  }
}

/// The extents of the ranks and of a brick on an axis.
struct BrickAxis {
  std::size_t ranks;
  std::size_t brick;
};

std::vector<BrickAxis> axes_of(const std::string& text) {
  const auto grids = parts_of(text, '/');
  if (grids.size() != 2) throw std::invalid_argument("it is not RANKS/BRICK");
  const auto ranks = parts_of(grids[0], 'x');
  const auto brick = parts_of(grids[1], 'x');
  if (ranks.size() != brick.size())
    throw std::invalid_argument(fmt::format("{} axes and {} of a brick", ranks.size(), brick.size()));
  std::vector<BrickAxis> axes;
  for (std::size_t axis = 0; axis < ranks.size(); ++axis) {
    axes.push_back({number_of(ranks[axis]), number_of(brick[axis])});
    if (axes.back().brick == 0 || axes.back().ranks % axes.back().brick != 0)
      throw std::invalid_argument(fmt::format("{} does not divide {}", brick[axis], ranks[axis]));
  }
  return axes;
}

/// Returns whether the product of the extents is `expected`.
bool has_product(const std::vector<BrickAxis>& axes, std::size_t BrickAxis::*extent, std::size_t expected) {
  std::size_t left = expected;
  for (const BrickAxis& axis : axes) {
    if (axis.*extent == 0 || left % (axis.*extent) != 0) return false;
    left /= axis.*extent;
  }
  return left == 1;
}

/// Returns the number of the brick of a rank, from the digits of the rank.
std::size_t brick_of(std::size_t rank, const std::vector<BrickAxis>& axes) {
  std::size_t number = 0;
  std::size_t weight = 1;
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const auto [ranks, brick] = axes[axis];
    number += rank % ranks / brick * weight;
    weight *= ranks / brick;
    rank /= ranks;
  }
  return number;
}

}  // namespace

std::vector<std::size_t> groups_of_ranks(const std::optional<std::string>& bricks, std::size_t rank_count,
                                         std::size_t per_node) {
  std::vector<std::size_t> groups(rank_count);
  if (!bricks) {
    for (std::size_t rank = 0; rank < rank_count; ++rank) groups[rank] = rank / per_node;
    return groups;
  }
  const auto axes = axes_of(*bricks);
  if (!has_product(axes, &BrickAxis::ranks, rank_count))
    throw std::invalid_argument(fmt::format("it has not {} ranks", rank_count));
  if (!has_product(axes, &BrickAxis::brick, per_node))
    throw std::invalid_argument(fmt::format("its brick has not {} ranks", per_node));
  for (std::size_t rank = 0; rank < rank_count; ++rank) groups[rank] = brick_of(rank, axes);
  return groups;
}

std::optional<Table> table_of(const OrderClaim& order, const Capacity& capacity, Faults& faults) {
  if (!order.node_of_rank) return table_of_rule(order, capacity, faults);
  const std::size_t before = faults.count();
  if (order.node_of_rank->size() != capacity.rank_count()) {
    faults.add("{}node_of_rank: {} ranks where there should be {}", order.where, order.node_of_rank->size(),
               capacity.rank_count());
  }
  Table table;
  for (const std::int64_t node : *order.node_of_rank) {
    if (node < 0 || static_cast<std::size_t>(node) >= capacity.grid.node_count()) {
      faults.add("{}node_of_rank: rank {} is on node {}, which {} has not", order.where, table.size(), node,
                 to_string(capacity.grid));
      return std::nullopt;
    }
    table.push_back(static_cast<std::size_t>(node));
  }
  require_full_nodes(table, order, capacity, faults);
  if (faults.count() != before) return std::nullopt;
  return table;
}

std::optional<Table> table_of_rule(const OrderClaim& order, const Capacity& capacity, Faults& faults) {
  try {
    const auto node_of_group = node_of_rank(Placement(capacity.grid, parse_placement(order.placement)));
    Table table;
    for (const std::size_t group : capacity.group_of_rank)
      table.push_back(static_cast<std::size_t>(node_of_group[group]));
    if (!capacity.group_of_rank.empty()) return table;
    for (const GridNode group_node : node_of_group) {
      const auto node = static_cast<std::size_t>(group_node);
      table.insert(table.end(), capacity.ranks_on_node[node], node);
    }
    return table;
  } catch (const std::invalid_argument& error) {
    faults.add("{}placement: {}", order.where, error.what());
    return std::nullopt;
  }
}

}  // namespace cubefold::planner
