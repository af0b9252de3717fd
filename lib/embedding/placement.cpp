#include "cubefold/embedding/placement.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "by_weight.hpp"

namespace cubefold {

namespace {

bool is_plain_identity(const PlacementRule& rule) {
  return rule == PlacementRule{};
}

void require_powers_of_two(const Grid& grid, const PlacementRule& rule) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (std::has_single_bit(grid.extent(axis))) continue;
    throw std::invalid_argument(
        fmt::format("placement '{}' on {}: extent {} of axis {} is not a power of two", to_string(rule),
                    to_string(grid), grid.extent(axis), axis));
  }
}

int bit_count(const Grid& grid, int axis) {
  return std::countr_zero(grid.extent(axis));
}

/// Number of the axis's lowest bit in a node index; all extents are powers of two.
int first_bit(const Grid& grid, int axis) {
  return std::countr_zero(grid.stride(axis));
}

/// Rank bits to axis bits, [Calmant] 2.3 for the cyclic dealing.
BitMatrix dealing(const Grid& grid, BitDealing bits) {
  const int size = std::countr_zero(grid.node_count());
  if (bits == BitDealing::blocked) return BitMatrix::identity(size);
  BitMatrix deal(size);
  int rank_bit = 0;
  for (int position = 0; rank_bit < size; ++position) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      if (position < bit_count(grid, axis)) deal.set(first_bit(grid, axis) + position, rank_bit++);
    }
  }
  return deal;
}

/// The linear part of an embedding, on every axis alike.
BitMatrix axis_map(const Grid& grid, Embedding embedding) {
  BitMatrix map = BitMatrix::identity(std::countr_zero(grid.node_count()));
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const int first = first_bit(grid, axis);
    const int top = first + bit_count(grid, axis) - 1;
    switch (embedding) {
      case Embedding::identity:
      case Embedding::standard:
      case Embedding::by_weight:
        break;
      case Embedding::xor_:
        if (top > first) map.set(top - 1, top);
        break;
      case Embedding::gray:
        for (int row = first; row <= top; ++row) {
          for (int column = row; column <= top; ++column) map.set(row, column);
        }
        break;
    }
  }
  return map;
}

BitMatrix linear_part(const Grid& grid, const PlacementRule& rule) {
  if (is_plain_identity(rule)) return BitMatrix::identity(32);
  require_powers_of_two(grid, rule);
  const auto size = static_cast<std::size_t>(std::countr_zero(grid.node_count()));
  auto dealt_and_mapped = axis_map(grid, rule.embedding) * dealing(grid, rule.bits);
  if (rule.order.empty()) return dealt_and_mapped;
  if (rule.order.size() != size) {
    throw std::invalid_argument(fmt::format("placement '{}' on {}: the order has {} bits where ranks have {}",
                                            to_string(rule), to_string(grid), rule.order.size(), size));
  }
  return dealt_and_mapped * BitMatrix::permutation(rule.order);
}

/// Applies a map of (label or coordinate, bits) to every axis of a power-of-two grid's node index.
template <typename Map>
std::uint32_t on_every_axis(const Grid& grid, std::uint32_t node, Map map) {
  std::uint32_t result = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto part = grid.coordinate(static_cast<GridNode>(node), axis);
    result |= map(part, bit_count(grid, axis)) << first_bit(grid, axis);
  }
  return result;
}

}  // namespace

Placement::Placement(Grid grid, PlacementRule rule)
    : grid_(std::move(grid)),
      rule_(std::move(rule)),
      to_node_bits_(linear_part(grid_, rule_)),
      to_rank_bits_(linear_part(grid_, rule_).inverse().value()) {}

std::uint32_t Placement::by_weight(std::uint32_t node_bits) const {
  return on_every_axis(grid_, node_bits, by_weight_place);
}

std::uint32_t Placement::by_weight_inverse(std::uint32_t node) const {
  return on_every_axis(grid_, node, by_weight_label);
}

std::vector<GridNode> node_of_rank(const Placement& placement) {
  std::vector<GridNode> nodes(placement.rank_count());
  for (std::size_t r = 0; r < nodes.size(); ++r) nodes[r] = placement.node_of(static_cast<Rank>(r));
  return nodes;
}

std::vector<Rank> rank_of_node(const Placement& placement) {
  std::vector<Rank> ranks(placement.rank_count());
  for (std::size_t n = 0; n < ranks.size(); ++n) ranks[n] = placement.rank_of(static_cast<GridNode>(n));
  return ranks;
}

int dimension_count(const Placement& placement) {
  if (!std::has_single_bit(placement.rank_count())) {
    throw std::invalid_argument(fmt::format("{} has {} nodes; a hypercube needs a power of two",
                                            to_string(placement.grid()), placement.rank_count()));
  }
  return std::countr_zero(placement.rank_count());
}

}  // namespace cubefold
