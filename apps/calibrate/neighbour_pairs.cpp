#include "calibrate/neighbour_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>

using cubefold::Direction;
using cubefold::Grid;
using cubefold::GridNode;

namespace {

GridNode node(std::size_t number) {
  return static_cast<GridNode>(number);
}

/// Describes the nodes of a line along an axis, counted from either end.
class Line {
 public:
  Line(const Grid& grid, int axis, std::size_t first, Direction direction)
      : first_(first), stride_(grid.stride(axis)), last_(grid.extent(axis) - 1), direction_(direction) {}

  GridNode at(std::size_t place) const {
    return node(first_ + stride_ * (direction_ == Direction::positive ? place : last_ - place));
  }

  std::size_t last() const { return last_; }

 private:
  std::size_t first_;
  std::size_t stride_;
  std::size_t last_;
  Direction direction_;
};

void add_wrap_pairs(WrapPairs& pairs, const Line& line, cubefold::Ports ports) {
  pairs.with.push_back({line.at(line.last()), line.at(0)});
  pairs.without.push_back({line.at(line.last()), line.at(line.last() - 1)});
  const bool second_receive = line.last() == 2 && ports == cubefold::Ports::all;
  for (std::size_t place = second_receive ? 1 : 2; place < line.last(); ++place) {
    pairs.with.push_back({line.at(place), line.at(place - 1)});
    pairs.without.push_back({line.at(place), line.at(place - 1)});
  }
}

bool is_route(const Grid& grid, GridNode from, GridNode to) {
  return distance_hops(grid, from, to) == 1;
}

/// Returns the neighbours that reach each other by one link, the lower node first. Slow links come first.
std::vector<Pair> cables_of(const Grid& grid) {
  std::vector<cubefold::TableLink> links = grid.route_table()->links();
  std::ranges::stable_sort(links, {}, &cubefold::TableLink::rate);
  std::vector<Pair> cables;
  for (const auto& link : links) {
    const Pair pair{node(link.from), node(link.to)};
    if (link.from < link.to && is_route(grid, pair.from, pair.to) && is_route(grid, pair.to, pair.from))
      cables.push_back(pair);
  }
  return cables;
}

/// Takes pairs without common nodes out of a list, always the first that fits.
std::vector<Pair> take_apart(std::vector<Pair>& list) {
  std::vector<Pair> taken;
  std::set<GridNode> nodes;
  std::erase_if(list, [&](const Pair& pair) {
    if (nodes.contains(pair.from) || nodes.contains(pair.to)) return false;
    nodes.insert({pair.from, pair.to});
    taken.push_back(pair);
    return true;
  });
  return taken;
}

std::vector<Pair> pairs_of_table(const Grid& grid, const NeighbourClass& which) {
  std::vector<Pair> cables = cables_of(grid);
  std::vector<Pair> pairs = take_apart(cables);
  if (which.odd) pairs = take_apart(cables);
  if (which.direction == Direction::negative)
    for (Pair& pair : pairs) std::swap(pair.from, pair.to);
  return pairs;
}

/// Returns whether a node sends in both classes or receives in both.
bool is_fork(const Grid& grid, const NeighbourClass& one, const NeighbourClass& other) {
  const auto others = pairs_of(grid, other);
  return std::ranges::any_of(pairs_of(grid, one), [&](const Pair& pair) {
    return std::ranges::any_of(
        others, [&](const Pair& second) { return pair.from == second.from || pair.to == second.to; });
  });
}

}  // namespace

std::vector<Pair> pairs_of(const Grid& grid, const NeighbourClass& which) {
  if (grid.route_table() != nullptr) return pairs_of_table(grid, which);
  std::vector<Pair> pairs;
  for (std::size_t lower = 0; lower < grid.node_count(); ++lower) {
    const std::uint32_t coordinate = grid.coordinate(node(lower), which.axis);
    if ((coordinate % 2 == 1) != which.odd || coordinate + 1 == grid.extent(which.axis)) continue;
    const std::size_t upper = lower + grid.stride(which.axis);
    pairs.push_back(which.direction == Direction::positive ? Pair{node(lower), node(upper)}
                                                           : Pair{node(upper), node(lower)});
  }
  return pairs;
}

void require_cables(const Grid& grid) {
  if (grid.route_table() == nullptr || !cables_of(grid).empty() || grid.node_count() == 1) return;
  throw std::invalid_argument(fmt::format(
      "{} has no two nodes that are linked both ways; there is nothing to measure", to_string(grid)));
}

std::vector<NeighbourClass> classes_of(const Grid& grid, int axis) {
  std::vector<NeighbourClass> classes;
  for (const bool odd : {false, true}) {
    if (pairs_of(grid, {axis, odd, Direction::positive}).empty()) continue;
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      classes.push_back({axis, odd, direction});
    }
  }
  return classes;
}

std::vector<int> axes_with_links(const Grid& grid) {
  std::vector<int> axes;
  if (grid.route_table() != nullptr) return {0};
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) > 1) axes.push_back(axis);
  }
  return axes;
}

std::optional<std::pair<NeighbourClass, NeighbourClass>> fork_of(const Grid& grid) {
  const std::vector<int> axes = axes_with_links(grid);
  if (axes.empty() || grid.node_count() == 2) return std::nullopt;
  const NeighbourClass first{axes[0], false, Direction::positive};
  if (grid.route_table() != nullptr) {
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      const NeighbourClass second{0, true, direction};
      if (is_fork(grid, first, second)) return std::pair{first, second};
    }
    return std::nullopt;
  }
  if (axes.size() > 1) return std::pair{first, NeighbourClass{axes[1], false, Direction::positive}};
  return std::pair{first, NeighbourClass{axes[0], true, Direction::negative}};
}

WrapPairs wrap_pairs(const Grid& grid, int axis, Direction direction, cubefold::Ports ports) {
  WrapPairs pairs;
  for (std::size_t first = 0; first < grid.node_count(); ++first) {
    if (grid.coordinate(node(first), axis) != 0) continue;
    add_wrap_pairs(pairs, Line(grid, axis, first, direction), ports);
  }
  return pairs;
}
