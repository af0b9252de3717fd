#include "cubefold/topology/link_loads.hpp"

#include <algorithm>
#include <utility>

#include "legs.hpp"

namespace cubefold {

LinkLoads::LinkLoads(Grid grid, Tie tie)
    : grid_(std::move(grid)), tie_(tie), differences_(link_index_count(grid_)) {}

// Axis by axis, unlike link_index(): what neighbours on a hypercube exchange then lies together.
std::size_t LinkLoads::place_of(const Link& link) const {
  const auto axis = static_cast<std::size_t>(link.axis);
  return (axis * grid_.node_count() + static_cast<std::size_t>(link.from)) * 2 +
         static_cast<std::size_t>(link.direction);
}

// A leg's links begin at `count` nodes upwards from coordinate `first`, round the end of the axis if need be. Differences
// may be negative; unsigned sums of them are right all the same.
void LinkLoads::add(GridNode from, GridNode to, std::uint64_t messages) {
  for_each_leg(grid_, from, to, tie_, [&](int axis, GridNode here, std::uint32_t start, std::int64_t steps) {
    const auto extent = std::int64_t{grid_.extent(axis)};
    const auto direction = steps > 0 ? Direction::positive : Direction::negative;
    const auto count = std::abs(steps);
    const auto first = steps > 0 ? start : (start - count + 1 + extent) % extent;
    const auto line = static_cast<std::size_t>(here) - start * grid_.stride(axis);
    const auto at = [&](std::int64_t coordinate) -> std::uint64_t& {
      const auto node = line + static_cast<std::size_t>(coordinate) * grid_.stride(axis);
      return differences_[place_of({static_cast<GridNode>(node), axis, direction})];
    };
    at(first) += messages;
    if (first + count < extent) {
      at(first + count) -= messages;
    } else if (first + count > extent) {
      at(0) += messages;
      at(first + count - extent) -= messages;
    }
  });
}

template <typename Visit>
void LinkLoads::for_each_on_line(int axis, std::size_t first_node, Visit visit) const {
  for (const Direction direction : {Direction::positive, Direction::negative}) {
    std::uint64_t load = 0;
    for (std::uint32_t x = 0; x < grid_.extent(axis); ++x) {
      const Link link{static_cast<GridNode>(first_node + x * grid_.stride(axis)), axis, direction};
      load += differences_[place_of(link)];
      visit(link, load);
    }
  }
}

template <typename Visit>
void LinkLoads::for_each(Visit visit) const {
  for (int axis = 0; axis < grid_.axis_count(); ++axis) {
    const auto stride = grid_.stride(axis);
    for (std::size_t block = 0; block < grid_.node_count(); block += stride * grid_.extent(axis)) {
      for (std::size_t offset = 0; offset < stride; ++offset) for_each_on_line(axis, block + offset, visit);
    }
  }
}

std::uint64_t LinkLoads::on(const Link& link) const {
  const auto stride = grid_.stride(link.axis);
  auto node = static_cast<std::size_t>(link.from);
  std::uint64_t load = 0;
  for (auto left = grid_.coordinate(link.from, link.axis);; --left, node -= stride) {
    load += differences_[place_of({static_cast<GridNode>(node), link.axis, link.direction})];
    if (left == 0) return load;
  }
}

std::vector<std::uint64_t> LinkLoads::by_link_index() const {
  std::vector<std::uint64_t> loads(differences_.size());
  for_each([&](const Link& link, std::uint64_t load) { loads[link_index(grid_, link)] = load; });
  return loads;
}

std::uint64_t LinkLoads::busiest() const {
  std::uint64_t most = 0;
  for_each([&](const Link&, std::uint64_t load) { most = std::max(most, load); });
  return most;
}

std::uint64_t LinkLoads::total_hops() const {
  std::uint64_t hops = 0;
  for_each([&](const Link&, std::uint64_t load) { hops += load; });
  return hops;
}

}  // namespace cubefold
