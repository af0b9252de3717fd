#include "calibrate/neighbour_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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

/// Two nodes whose routes to each other pass no other node, and at most two switches.
struct Neighbours {
  Pair pair;
  std::size_t switches;  ///< that a route between them passes
  double rate;           ///< of the slowest link of the route
};

/// Returns whether these are neighbours by a route that passes so many switches, and another one back.
bool are_neighbours(const Grid& grid, const Pair& pair, std::size_t switches) {
  const std::size_t hops = switches + 1;
  return distance_hops(grid, pair.from, pair.to) == hops && distance_hops(grid, pair.to, pair.from) == hops;
}

double slowest_rate(const Grid& grid, const Pair& pair) {
  double slowest = cubefold::RouteTable::most_rate;
  for (const auto& link : cubefold::route(grid, pair.from, pair.to, cubefold::Tie::balanced))
    slowest = std::min(slowest, rate_of(grid, link));
  return slowest;
}

/// Adds the neighbours of a node that links of the vertex lead to, after so many switches.
void add_neighbours(std::map<std::pair<GridNode, GridNode>, Neighbours>& found, const Grid& grid,
                    GridNode from, std::size_t vertex, std::size_t switches) {
  constexpr std::size_t most_switches = 2;
  const cubefold::RouteTable& table = *grid.route_table();
  for (std::size_t i = table.first_link(vertex); i < table.first_link(vertex + 1); ++i) {
    const std::size_t end = table.links()[i].to;
    if (end >= table.node_count()) {
      if (switches < most_switches) add_neighbours(found, grid, from, end, switches + 1);
      continue;
    }
    const Pair pair{from, node(end)};
    if (pair.from < pair.to && are_neighbours(grid, pair, switches))
      found.insert({{pair.from, pair.to}, {pair, switches, slowest_rate(grid, pair)}});
  }
}

/// Returns the neighbours, the lower node first: those with the slowest links come first, and among these those with
/// cables between them, then those whose routes pass two switches, and last those on one switch.
std::vector<Pair> neighbours_of(const Grid& grid) {
  std::map<std::pair<GridNode, GridNode>, Neighbours> found;
  for (std::size_t from = 0; from < grid.node_count(); ++from)
    add_neighbours(found, grid, node(from), from, 0);
  std::vector<Neighbours> sorted;
  sorted.reserve(found.size());
  for (const auto& [ends, neighbours] : found) sorted.push_back(neighbours);
  std::ranges::stable_sort(sorted, {}, [](const Neighbours& neighbours) {
    return std::pair(neighbours.rate, (3 - neighbours.switches) % 3);
  });
  std::vector<Pair> pairs;
  pairs.reserve(sorted.size());
  for (const Neighbours& neighbours : sorted) pairs.push_back(neighbours.pair);
  return pairs;
}

/// Takes pairs whose routes have no common node or link out of a list, always the first that fits.
std::vector<Pair> take_apart(const Grid& grid, std::vector<Pair>& list) {
  std::vector<Pair> taken;
  std::vector<bool> is_used(link_index_count(grid));
  std::set<GridNode> nodes;
  std::erase_if(list, [&](const Pair& pair) {
    auto links = cubefold::route(grid, pair.from, pair.to, cubefold::Tie::balanced);
    const auto back = cubefold::route(grid, pair.to, pair.from, cubefold::Tie::balanced);
    links.insert(links.end(), back.begin(), back.end());
    const bool meets =
        std::ranges::any_of(links, [&](const auto& link) { return is_used[link_index(grid, link)]; });
    if (meets || nodes.contains(pair.from) || nodes.contains(pair.to)) return false;
    for (const auto& link : links) is_used[link_index(grid, link)] = true;
    nodes.insert({pair.from, pair.to});
    taken.push_back(pair);
    return true;
  });
  return taken;
}

std::vector<Pair> pairs_of_table(const Grid& grid, const NeighbourClass& which) {
  std::vector<Pair> neighbours = neighbours_of(grid);
  std::vector<Pair> pairs = take_apart(grid, neighbours);
  if (which.odd) pairs = take_apart(grid, neighbours);
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

void require_neighbours(const Grid& grid) {
  if (grid.route_table() == nullptr || !neighbours_of(grid).empty() || grid.node_count() == 1) return;
  throw std::invalid_argument(
      fmt::format("{} has no two nodes that are linked both ways, or over one or two switches; there is "
                  "nothing to measure",
                  to_string(grid)));
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
