#include "planner/drawing/node_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cubefold::planner {

namespace {

constexpr double spacing = 66;        ///< distance between neighbours within a plane
constexpr double depth = 40;          ///< distance to the right and up between neighbouring planes
constexpr double plane_gap = 30;      ///< gap between the last plane of a cell and the next cell
constexpr double rim = 2;             ///< gap between a node and its links
constexpr std::size_t most_axes = 3;  ///< directions: right, down, into the depth

Point operator+(Point a, Point b) {
  return {a.x + b.x, a.y + b.y};
}

Point operator-(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}

Point operator*(double factor, Point a) {
  return {factor * a.x, factor * a.y};
}

Point unit(Point a) {
  return 1 / std::hypot(a.x, a.y) * a;
}

}  // namespace

std::vector<NodePositions::DrawnAxis> NodePositions::drawn_axes(const Grid& grid) {
  std::vector<DrawnAxis> drawn;
  const bool folds = std::count_if(grid.axes().begin(), grid.axes().end(), [](const Axis& axis) {
                       return axis.extent > 1;
                     }) > std::ptrdiff_t{most_axes};
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto extent = static_cast<int>(grid.extent(axis));
    if (extent == 1) continue;
    if (folds && extent == 2 && !drawn.empty() && drawn.back().extent == 2) {
      drawn.back() = {{drawn.back().axes.front(), axis}, 4, {}};
    } else {
      drawn.push_back({{axis}, extent, {}});
    }
  }
  if (drawn.size() > most_axes) {
    throw std::invalid_argument(
        fmt::format("draw: {} has {} axes; the most is {}, pairs of axes of extent 2 counting as one",
                    to_string(grid), drawn.size(), most_axes));
  }
  return drawn;
}

NodePositions::NodePositions(const Grid& grid)
    : grid_(grid), axes_(drawn_axes(grid)), nodes_(grid.node_count()) {
  if (is_circle()) {
    place_on_circle();
  } else {
    place_on_axes();
  }
  measure();
}

/// Returns the coordinate of a node along a drawn axis. Two grid axes of extent 2 form the ring 00, 10, 11, 01.
int NodePositions::coordinate(GridNode node, const DrawnAxis& axis) const {
  const auto first = static_cast<int>(grid_.coordinate(node, axis.axes.front()));
  if (axis.axes.size() == 1) return first;
  return grid_.coordinate(node, axis.axes.back()) == 0 ? first : 3 - first;
}

bool NodePositions::is_circle() const {
  return axes_.size() == 1 && grid_.has_wrap_link(axes_.front().axes.front());
}

void NodePositions::place_on_circle() {
  const auto count = static_cast<double>(nodes_.size());
  const double radius = spacing / 2 / std::sin(std::numbers::pi / count);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const auto place = coordinate(static_cast<GridNode>(node), axes_.front());
    const double angle = 2 * std::numbers::pi * place / count - std::numbers::pi / 2;
    nodes_[node] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
}

void NodePositions::place_on_axes() {
  const bool has_depth = axes_.size() == most_axes;
  const double flat = has_depth ? axes_[2].extent * depth + plane_gap : spacing;
  if (has_depth) {
    node_radius_ = 13;
    stub_length_ = 15;  // ends before the links of the next plane
  }
  const Point steps[] = {{flat, 0}, {0, flat}, {depth, -depth}};  // NOLINT(modernize-avoid-c-arrays)
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) axes_[axis].step = steps[axis];
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    for (const DrawnAxis& axis : axes_) {
      nodes_[node] = nodes_[node] + coordinate(static_cast<GridNode>(node), axis) * axis.step;
    }
  }
}

void NodePositions::measure() {
  const double margin = node_radius_ + rim + stub_length_;
  const auto by_x =
      std::minmax_element(nodes_.begin(), nodes_.end(), [](Point a, Point b) { return a.x < b.x; });
  const auto by_y =
      std::minmax_element(nodes_.begin(), nodes_.end(), [](Point a, Point b) { return a.y < b.y; });
  least_ = Point{by_x.first->x, by_y.first->y} - Point{margin, margin};
  greatest_ = Point{by_x.second->x, by_y.second->y} + Point{margin, margin};
}

std::vector<Stroke> NodePositions::strokes(const Link& link) const {
  const GridNode to_node = end_of(grid_, link);
  const Point from = nodes_[static_cast<std::size_t>(link.from)];
  const Point to = nodes_[static_cast<std::size_t>(to_node)];
  const auto axis = std::find_if(axes_.begin(), axes_.end(), [&](const DrawnAxis& drawn) {
    return std::count(drawn.axes.begin(), drawn.axes.end(), link.axis) > 0;
  });
  const int steps = coordinate(to_node, *axis) - coordinate(link.from, *axis);
  const double clear = node_radius_ + rim;
  if (is_circle() || std::abs(steps) == 1) {
    const Point along = unit(to - from);
    return {{from + clear * along, to - clear * along}};
  }
  const Point outward = (steps < 0 ? 1 : -1) * unit(axis->step);
  return {{from + clear * outward, from + (clear + stub_length_) * outward},
          {to - (clear + stub_length_) * outward, to - clear * outward}};
}

}  // namespace cubefold::planner
