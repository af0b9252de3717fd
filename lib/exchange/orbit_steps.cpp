#include "orbit_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "topology/route_segments.hpp"

namespace cubefold {

namespace {

/// Returns the looks of the search: some 0.05 s at most, and 0.2 s with an extent above 16, where the products are
/// farther from the bound. On small grids it is not worth more than 20 times the looks that place all items once, since
/// many of them have no shorter schedule.
std::size_t looks_for(const Grid& grid, const std::vector<Resources>& items, std::size_t step_count) {
  const bool is_long = std::ranges::any_of(grid.axes(), [](const Axis& axis) { return axis.extent > 16; });
  const std::size_t most_looks = is_long ? 160'000'000 : 50'000'000;
  return std::min(most_looks, 20 * looks_to_place_once(items, step_count));
}

bool contains(const std::vector<GridNode>& nodes, GridNode node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

std::optional<OrbitSteps> OrbitSteps::of(const Grid& grid, const NetworkRules& rules, std::size_t most_steps,
                                         std::size_t least_steps) {
  OrbitSteps steps(grid, rules);
  if (!steps.place_all(most_steps, least_steps)) return std::nullopt;
  return steps;
}

OrbitSteps::OrbitSteps(Grid grid, const NetworkRules& rules) : grid_(std::move(grid)), rules_(rules) {
  find_group();
  find_orbits();
}

/// Returns the node whose coordinates are the sums of those of two nodes, mod the extents.
GridNode OrbitSteps::moved(GridNode node, GridNode by) const {
  auto sum = grid_.coordinates(node);
  for (int axis = 0; axis < grid_.axis_count(); ++axis) {
    auto& coordinate = sum[static_cast<std::size_t>(axis)];
    coordinate = (coordinate + grid_.coordinate(by, axis)) % grid_.extent(axis);
  }
  return grid_.node_at(sum);
}

/// Returns whether the translations take routes to routes, and whether no route meets its own image. Ties of a ring of
/// even extent depend on whether the coordinate is even. A translation along one ring takes a route to one on the same
/// line; routes are shorter than half of the ring, or as long.
bool OrbitSteps::keeps_links(const std::vector<GridNode>& group) const {
  return std::all_of(group.begin(), group.end(), [&](GridNode translation) {
    int moving = 0;
    bool half_way = false;
    for (int axis = 0; axis < grid_.axis_count(); ++axis) {
      const std::uint32_t by = grid_.coordinate(translation, axis);
      if (by == 0) continue;
      if (!grid_.has_wrap_link(axis)) return false;
      if (grid_.extent(axis) % 2 == 0 && by % 2 == 1 && rules_.tie == Tie::balanced) return false;
      ++moving;
      half_way = 2 * by == grid_.extent(axis);
    }
    return moving != 1 || half_way;
  });
}

/// Returns the group that a group of translations and one more translation generate.
std::vector<GridNode> OrbitSteps::with(const std::vector<GridNode>& group, GridNode generator) const {
  std::vector<GridNode> result = group;
  for (GridNode power = generator; !contains(group, power); power = moved(power, generator))
    for (const GridNode element : group) result.push_back(moved(element, power));
  return result;
}

/// Takes the generator that makes the group largest until none makes it larger.
void OrbitSteps::find_group() {
  group_ = {GridNode{0}};
  for (;;) {
    std::vector<GridNode> largest = group_;
    for (std::size_t i = 1; i < grid_.node_count(); ++i) {
      const auto generator = static_cast<GridNode>(i);
      if (contains(largest, generator) || !keeps_links({generator})) continue;
      auto larger = with(group_, generator);
      if (larger.size() > largest.size() && keeps_links(larger)) largest = std::move(larger);
    }
    if (largest.size() == group_.size()) return;
    group_ = std::move(largest);
  }
}

void OrbitSteps::find_orbits() {
  const std::size_t p = grid_.node_count();
  back_.resize(p);
  orbits_.assign(p, p);
  for (std::size_t i = 0; i < p; ++i) {
    if (orbits_[i] != p) continue;
    const auto first = static_cast<GridNode>(i);
    for (const GridNode translation : group_) {
      const GridNode node = moved(first, translation);
      const auto inverse = std::find_if(group_.begin(), group_.end(), [&](GridNode other) {
        return moved(translation, other) == GridNode{0};
      });
      orbits_[static_cast<std::size_t>(node)] = orbit_count_;
      back_[static_cast<std::size_t>(node)] = *inverse;
    }
    ++orbit_count_;
  }
}

/// Returns the links of a route, numbered by the orbit of the node that each leads from, its axis and its direction.
/// With one port, the ports of the two nodes follow, which are numbered by their orbits behind all links.
Resources OrbitSteps::resources_of(GridNode from, GridNode to) const {
  Resources resources;
  resources.reserve(distance_hops(grid_, from, to) + 2);
  for_each_segment(
      grid_, from, to, rules_.tie, [&](int axis, GridNode begin, std::uint32_t, std::int64_t steps) {
        auto at = grid_.coordinates(begin);
        const std::uint32_t extent = grid_.extent(axis);
        auto& x = at[static_cast<std::size_t>(axis)];
        for (std::int64_t hop = 0; hop < std::abs(steps); ++hop) {
          const std::size_t orbit = orbits_[static_cast<std::size_t>(grid_.node_at(at))];
          resources.push_back((orbit * grid_.axes().size() + static_cast<std::size_t>(axis)) * 2 +
                              (steps > 0 ? 1 : 0));
          x = steps > 0 ? (x + 1) % extent : (x + extent - 1) % extent;
        }
      });
  if (rules_.ports == Ports::one) {
    const std::size_t link_count = orbit_count_ * grid_.axes().size() * 2;
    resources.push_back(link_count + orbits_[static_cast<std::size_t>(from)]);
    resources.push_back(link_count + orbit_count_ + orbits_[static_cast<std::size_t>(to)]);
  }
  return resources;
}

/// Places one message of each orbit. Returns false if that takes too much work.
bool OrbitSteps::place_all(std::size_t most_steps, std::size_t least_steps) {
  const std::size_t p = grid_.node_count();
  std::vector<std::size_t> places;  // in steps_, of each item
  std::vector<Resources> items;
  for (std::size_t from = 0; from < p; ++from) {
    if (back_[from] != GridNode{0}) continue;
    for (std::size_t to = 0; to < p; ++to) {
      if (from == to) continue;
      places.push_back(orbits_[from] * p + to);
      items.push_back(resources_of(static_cast<GridNode>(from), static_cast<GridNode>(to)));
    }
  }
  const std::size_t resource_count = orbit_count_ * (2 * grid_.axes().size() + 2);
  const PlacingLimits limits{most_steps, least_steps, looks_for(grid_, items, least_steps)};
  const auto placed = place_in_few_steps(std::move(items), resource_count, limits);
  if (!placed) return false;
  step_count_ = placed->step_count;
  steps_.resize(orbit_count_ * p);
  for (std::size_t item = 0; item < places.size(); ++item) steps_[places[item]] = placed->steps[item];
  return true;
}

std::size_t OrbitSteps::step_of(GridNode from, GridNode to) const {
  const auto source = static_cast<std::size_t>(from);
  const auto destination = static_cast<std::size_t>(moved(to, back_[source]));
  return steps_[orbits_[source] * grid_.node_count() + destination];
}

}  // namespace cubefold
