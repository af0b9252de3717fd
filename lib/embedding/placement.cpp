#include "cubefold/embedding/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace cubefold {

namespace {

using Binomials = std::array<std::array<std::uint32_t, 32>, 32>;

constexpr Binomials pascal() {
  Binomials rows{};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
  }
  return rows;
}

constexpr Binomials binomials = pascal();

std::uint32_t choose(int n, int k) {
  return k < 0 || k > n ? 0 : binomials[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

// Larger labels of equal weight come first, so at each bit, from the top, a label with a 0 comes after all labels that
// have a 1 there and the rest of their weight below.
/// Returns the place of a label among the 2^bit_count labels sorted by popcount ascending, with ties by value
/// descending: 0 4 2 1 6 5 3 7 for 3 bits. Costs O(bit_count). Requires label < 2^bit_count and bit_count <= 31.
std::uint32_t by_weight_place(std::uint32_t label, int bit_count) {
  const int weight = std::popcount(label);
  std::uint32_t place = 0;
  for (int lighter = 0; lighter < weight; ++lighter) place += choose(bit_count, lighter);
  int left = weight;
  for (int bit = bit_count - 1; bit >= 0; --bit) {
    if (((label >> bit) & 1) != 0) {
      --left;
    } else {
      place += choose(bit, left - 1);
    }
  }
  return place;
}

/// Returns the label at a place of the sorted list; this is the inverse of by_weight_place().
std::uint32_t by_weight_label(std::uint32_t place, int bit_count) {
  int left = 0;
  while (place >= choose(bit_count, left)) place -= choose(bit_count, left++);
  std::uint32_t label = 0;
  for (int bit = bit_count - 1; bit >= 0; --bit) {
    const auto with_one_here = choose(bit, left - 1);
    if (place < with_one_here) {
      label |= std::uint32_t{1} << bit;
      --left;
    } else {
      place -= with_one_here;
    }
  }
  return label;
}

/// Returns whether the rule fits any grid, and not only grids whose extents are powers of two.
bool needs_no_bits(const PlacementRule& rule) {
  return rule == PlacementRule{} || !rule.nodes.empty();
}

bool has_by_weight(const PlacementRule& rule) {
  return std::find(rule.embeddings.begin(), rule.embeddings.end(), Embedding::by_weight) !=
         rule.embeddings.end();
}

/// Returns the number of the axis's lowest bit in a node index. Requires extents that are powers of two.
int first_bit(const Grid& grid, int axis) {
  return std::countr_zero(grid.stride(axis));
}

void require_embeddings(const Grid& grid, const PlacementRule& rule) {
  const auto count = rule.embeddings.size();
  if (count == 1 || count == grid.axes().size()) return;
  throw std::invalid_argument(fmt::format("placement '{}' on {}: {} embeddings for {} axes", to_string(rule),
                                          to_string(grid), count, grid.axis_count()));
}

BitMatrix bit_assignment(const Grid& grid, const PlacementRule& rule) {
  BitMatrix assignment(std::countr_zero(grid.node_count()));
  int rank_bit = 0;
  for (const auto& [axis, position] : bit_places(grid, rule)) {
    assignment.set(first_bit(grid, axis) + position, rank_bit++);
  }
  return assignment;
}

/// Returns the linear part of the embeddings of all axes.
BitMatrix axis_map(const Grid& grid, const PlacementRule& rule) {
  BitMatrix map = BitMatrix::identity(std::countr_zero(grid.node_count()));
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const int first = first_bit(grid, axis);
    const int top = first + std::countr_zero(grid.extent(axis)) - 1;
    switch (embedding_on(rule, axis)) {
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
  if (needs_no_bits(rule)) return BitMatrix::identity(32);
  require_embeddings(grid, rule);
  const auto assignment = bit_assignment(grid, rule);
  return axis_map(grid, rule) * assignment;
}

/// Applies map(label or coordinate, bits) to the coordinate of a node index on every by-weight axis. Requires extents
/// that are powers of two.
template <typename Map>
std::uint32_t on_by_weight_axes(const Grid& grid, const PlacementRule& rule, std::uint32_t node, Map map) {
  std::uint32_t result = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto part = grid.coordinate(static_cast<GridNode>(node), axis);
    const bool is_mapped = embedding_on(rule, axis) == Embedding::by_weight;
    result |= (is_mapped ? map(part, std::countr_zero(grid.extent(axis))) : part) << first_bit(grid, axis);
  }
  return result;
}

std::vector<Rank> inverse_table(const Grid& grid, const PlacementRule& rule) {
  const auto fail = [&](const std::string& problem) {
    throw std::invalid_argument(
        fmt::format("placement '{}' on {}: {}", to_string(rule), to_string(grid), problem));
  };
  const auto count = grid.node_count();
  if (rule.nodes.empty()) return {};
  if (rule.nodes.size() != count) {
    fail(fmt::format("the table has {} nodes where the grid has {}", rule.nodes.size(), count));
  }
  const auto none = static_cast<Rank>(count);
  std::vector<Rank> ranks(count, none);
  for (std::size_t r = 0; r < count; ++r) {
    const auto node = static_cast<std::size_t>(rule.nodes[r]);
    if (node >= count || ranks[node] != none)
      fail(fmt::format("node {} is beyond the grid or repeated", node));
    ranks[node] = static_cast<Rank>(r);
  }
  return ranks;
}

}  // namespace

Placement::Placement(Grid grid, PlacementRule rule)
    : grid_(std::move(grid)),
      rule_(std::move(rule)),
      is_linear_(rule_.nodes.empty() && !has_by_weight(rule_)),
      to_node_bits_(linear_part(grid_, rule_)),
      to_rank_bits_(linear_part(grid_, rule_).inverse().value()),
      rank_of_node_(inverse_table(grid_, rule_)) {}

GridNode Placement::nonlinear_node_of(Rank rank) const {
  if (!rule_.nodes.empty()) return rule_.nodes[label(rank)];
  return static_cast<GridNode>(on_by_weight_axes(grid_, rule_, to_node_bits_(label(rank)), by_weight_place));
}

Rank Placement::nonlinear_rank_of(GridNode node) const {
  if (!rule_.nodes.empty()) return rank_of_node_[static_cast<std::size_t>(node)];
  return static_cast<Rank>(
      to_rank_bits_(on_by_weight_axes(grid_, rule_, static_cast<std::uint32_t>(node), by_weight_label)));
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

int dimension_count(const Grid& grid) {
  if (!std::has_single_bit(grid.node_count())) {
    throw std::invalid_argument(
        fmt::format("{} has {} nodes; a hypercube needs a power of two", to_string(grid), grid.node_count()));
  }
  return std::countr_zero(grid.node_count());
}

int dimension_count(const Placement& placement) {
  return dimension_count(placement.grid());
}

}  // namespace cubefold
