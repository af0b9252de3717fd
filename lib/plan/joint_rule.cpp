#include "joint_rule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace cubefold {

double tolerance_of(double value) {
  return 0x1p-40 * std::abs(value);
}

bool is_better(const JointValue& a, const JointValue& b) {
  if (std::abs(a.objective - b.objective) > tolerance_of(b.objective)) return a.objective < b.objective;
  return a.hops < b.hops - tolerance_of(b.hops);
}

bool extents_are_powers_of_two(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(),
                     [](const Axis& axis) { return std::has_single_bit(axis.extent); });
}

std::vector<Embedding> embeddings_of(const Grid& grid, int axis) {
  const int count = bits_of(grid, axis).count;
  if (count < 2) return {Embedding::standard};
  if (count == 2) return {Embedding::standard, Embedding::xor_};
  return {Embedding::standard, Embedding::xor_, Embedding::gray};
}

BitRange bits_of(const Grid& grid, int axis) {
  return {std::countr_zero(grid.stride(axis)), std::countr_zero(grid.extent(axis))};
}

AxisBits axis_bits(const Grid& grid, const JointRule& rule, int axis) {
  const auto [first, count] = bits_of(grid, axis);
  std::uint32_t before = 0;
  for (int k = 0; k < first; ++k) before |= std::uint32_t{1} << rule.order[static_cast<std::size_t>(k)];
  const auto bits =
      std::span(rule.order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  return {axis, rule.embeddings[static_cast<std::size_t>(axis)], before, bits};
}

std::vector<GridNode> nodes_of(const Grid& grid, const JointRule& rule) {
  std::vector<std::uint32_t> columns(rule.order.size());
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto [embedding, bits] =
        std::pair(axis_bits(grid, rule, axis).embedding, axis_bits(grid, rule, axis).bits);
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const auto coordinate =
          coordinate_of_position(embedding, static_cast<int>(k), static_cast<int>(bits.size()));
      columns[static_cast<std::size_t>(bits[k])] = coordinate << bits_of(grid, axis).first;
    }
  }
  std::vector<std::uint32_t> index(grid.node_count());
  std::vector<GridNode> nodes(grid.node_count());
  for (std::uint32_t r = 1; r < nodes.size(); ++r) {
    index[r] = index[r & (r - 1)] ^ columns[static_cast<std::size_t>(std::countr_zero(r))];
    nodes[r] = static_cast<GridNode>(index[r]);
  }
  return nodes;
}

namespace {

/// Returns the rank bit of every position on an axis: the one that changes only the coordinate on this axis, in the way
/// in which the position does under the embedding. Returns nothing unless every position has such a bit.
std::optional<std::vector<int>> bits_under(const Grid& grid, int axis, Embedding embedding,
                                           const std::vector<GridNode>& nodes) {
  const auto [first, count] = bits_of(grid, axis);
  std::vector<int> bits;
  for (int position = 0; position < count; ++position) {
    const auto column = coordinate_of_position(embedding, position, count) << first;
    for (int k = 0; std::size_t{1} << k < nodes.size(); ++k) {
      if (nodes[std::size_t{1} << k] == static_cast<GridNode>(column)) bits.push_back(k);
    }
  }
  if (bits.size() != static_cast<std::size_t>(count)) return std::nullopt;
  return bits;
}

}  // namespace

std::optional<JointRule> rule_of(const Grid& grid, const std::vector<GridNode>& nodes) {
  JointRule rule;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    for (const Embedding embedding : embeddings_of(grid, axis)) {
      const auto bits = bits_under(grid, axis, embedding, nodes);
      if (!bits) continue;
      rule.embeddings.push_back(embedding);
      rule.order.insert(rule.order.end(), bits->begin(), bits->end());
      break;
    }
    if (rule.embeddings.size() != static_cast<std::size_t>(axis) + 1) return std::nullopt;
  }
  if (nodes_of(grid, rule) != nodes) return std::nullopt;
  return rule;
}

namespace {

/// Returns the embedding `elsewhere` if it is equivalent to `embedding` on this axis, and `embedding` otherwise.
Embedding as_elsewhere(const Grid& grid, int axis, Embedding embedding, Embedding elsewhere) {
  const int count = bits_of(grid, axis).count;
  if (count < 2) return elsewhere;
  return count == 2 && elsewhere == Embedding::gray && embedding == Embedding::xor_ ? elsewhere : embedding;
}

/// Returns the embedding of the axis with the most bits.
Embedding embedding_of_longest(const Grid& grid, const JointRule& rule) {
  Embedding result = Embedding::standard;
  int most = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (bits_of(grid, axis).count <= most) continue;
    most = bits_of(grid, axis).count;
    result = rule.embeddings[static_cast<std::size_t>(axis)];
  }
  return result;
}

}  // namespace

std::string to_string(const Grid& grid, const JointRule& rule) {
  const auto elsewhere = embedding_of_longest(grid, rule);
  PlacementRule placement;
  placement.embeddings.clear();
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    placement.embeddings.push_back(
        as_elsewhere(grid, axis, rule.embeddings[static_cast<std::size_t>(axis)], elsewhere));
  }
  const auto& all = placement.embeddings;
  if (std::all_of(all.begin(), all.end(), [&](Embedding e) { return e == all[0]; }))
    placement.embeddings = {elsewhere};
  if (!std::is_sorted(rule.order.begin(), rule.order.end())) placement.order = rule.order;
  return cubefold::to_string(placement);
}

JointValue value_of(const std::vector<AxisCost>& costs, const std::vector<double>& weights) {
  JointValue value;
  std::vector<double> open(weights.size());
  for (const AxisCost& cost : costs) {
    value.objective += cost.closed;
    value.hops += cost.hops;
    for (std::size_t r = 0; r < open.size(); ++r) open[r] = std::max(open[r], cost.open[r]);
  }
  for (std::size_t r = 0; r < open.size(); ++r) value.objective += weights[r] * open[r];
  return value;
}

}  // namespace cubefold
