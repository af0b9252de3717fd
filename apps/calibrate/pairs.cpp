#include "calibrate/pairs.hpp"

#include <cstddef>
#include <cstdint>

using cubefold::Direction;
using cubefold::Grid;
using cubefold::GridNode;

namespace {

GridNode node(std::size_t number) {
  return static_cast<GridNode>(number);
}

/// The nodes of a line along an axis, counted from either end.
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

}  // namespace

std::vector<Pair> pairs_of(const Grid& grid, const NeighbourClass& which) {
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

std::vector<NeighbourClass> classes_of(const Grid& grid, int axis) {
  std::vector<NeighbourClass> classes;
  for (const bool odd : {false, true}) {
    if (grid.extent(axis) < (odd ? 3U : 2U)) continue;
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      classes.push_back({axis, odd, direction});
    }
  }
  return classes;
}

std::vector<int> axes_with_links(const Grid& grid) {
  std::vector<int> axes;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) > 1) axes.push_back(axis);
  }
  return axes;
}

std::optional<std::pair<NeighbourClass, NeighbourClass>> fork_of(const Grid& grid) {
  const std::vector<int> axes = axes_with_links(grid);
  if (axes.empty() || (axes.size() == 1 && grid.extent(axes[0]) == 2)) return std::nullopt;
  const NeighbourClass first{axes[0], false, Direction::positive};
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
