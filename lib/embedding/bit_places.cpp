#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <string>

#include "cubefold/embedding/placement_rule.hpp"

namespace cubefold {

namespace {

[[noreturn]] void fail(const Grid& grid, const PlacementRule& rule, const std::string& problem) {
  throw std::invalid_argument(
      fmt::format("placement '{}' on {}: {}", to_string(rule), to_string(grid), problem));
}

void require_powers_of_two(const Grid& grid, const PlacementRule& rule) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (std::has_single_bit(grid.extent(axis))) continue;
    fail(grid, rule, fmt::format("extent {} of axis {} is not a power of two", grid.extent(axis), axis));
  }
}

void require_one_per_bit(const Grid& grid, const PlacementRule& rule, const std::vector<int>& list,
                         const char* name) {
  const auto bits = static_cast<std::size_t>(std::countr_zero(grid.node_count()));
  if (list.empty() || list.size() == bits) return;
  fail(grid, rule, fmt::format("the {} {} bits where ranks have {}", name, list.size(), bits));
}

int bit_count(const Grid& grid, int axis) {
  return std::countr_zero(grid.extent(axis));
}

std::vector<BitPlace> blocked(const Grid& grid) {
  std::vector<BitPlace> places;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    for (int position = 0; position < bit_count(grid, axis); ++position) places.push_back({axis, position});
  }
  return places;
}

std::vector<BitPlace> cyclic(const Grid& grid) {
  const auto bits = static_cast<std::size_t>(std::countr_zero(grid.node_count()));
  std::vector<BitPlace> places;
  for (int position = 0; places.size() < bits; ++position) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      if (position < bit_count(grid, axis)) places.push_back({axis, position});
    }
  }
  return places;
}

std::vector<BitPlace> as_listed(const Grid& grid, const PlacementRule& rule) {
  std::vector<int> used(grid.axes().size());
  std::vector<BitPlace> places;
  for (const int axis : rule.axis_of_bit) {
    if (axis < 0 || axis >= grid.axis_count()) {
      fail(grid, rule, fmt::format("bits are given to axis {} of {}", axis, grid.axis_count()));
    }
    int& position = used[static_cast<std::size_t>(axis)];
    if (position == bit_count(grid, axis)) {
      fail(grid, rule, fmt::format("axis {} is given more than its {} bits", axis, bit_count(grid, axis)));
    }
    places.push_back({axis, position++});
  }
  return places;
}

std::vector<BitPlace> places_after_order(const Grid& grid, const PlacementRule& rule) {
  if (!rule.axis_of_bit.empty()) return as_listed(grid, rule);
  switch (rule.bits) {
    case BitAssignment::blocked:
      return blocked(grid);
    case BitAssignment::cyclic:
      return cyclic(grid);
  }
  throw std::invalid_argument("bit_places: unknown assignment of bits");
}

}  // namespace

std::vector<BitPlace> bit_places(const Grid& grid, const PlacementRule& rule) {
  require_powers_of_two(grid, rule);
  require_one_per_bit(grid, rule, rule.axis_of_bit, "axes are given for");
  require_one_per_bit(grid, rule, rule.order, "order has");
  auto placed = places_after_order(grid, rule);
  if (rule.order.empty()) return placed;
  std::vector<BitPlace> places(placed.size());
  std::vector<bool> found(placed.size());
  for (std::size_t k = 0; k < placed.size(); ++k) {
    const auto old_bit = static_cast<std::size_t>(rule.order[k]);
    if (old_bit >= placed.size() || found[old_bit])
      fail(grid, rule, "the order is no permutation of the bits");
    found[old_bit] = true;
    places[old_bit] = placed[k];
  }
  return places;
}

}  // namespace cubefold
