#include "planner/drawing/node_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cubefold::planner {

namespace {

constexpr double spacing = 66;  ///< distance between neighbours within a plane
constexpr double depth = 40;    ///< distance to the right and up between neighbouring planes
constexpr double plane_gap =
    30;                    ///< gap between the last plane of a cell and the next cell, and between planes
constexpr double rim = 2;  ///< gap between a node and its links
constexpr std::size_t most_drawn_axes = 3;  ///< directions: right, down, into the depth
constexpr std::size_t least_nodes_of_planes =
    125;                                  ///< in the depth of a picture, so many nodes hide each other
constexpr double width_of_planes = 1250;  ///< as many planes as fit are in a row
constexpr double name_height = 24;

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
                     }) > std::ptrdiff_t{most_drawn_axes};
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto extent = static_cast<int>(grid.extent(axis));
    if (extent == 1) continue;
    if (folds && extent == 2 && !drawn.empty() && drawn.back().extent == 2) {
      drawn.back() = {{drawn.back().axes.front(), axis}, 4, {}};
    } else {
      drawn.push_back({{axis}, extent, {}});
    }
  }
  return drawn;
}

/// Returns whether the whole network is a single ring.
bool NodePositions::is_ring() const {
  return whole_.grid.route_table() == nullptr && axes_.size() == 1 &&
         whole_.grid.has_wrap_link(axes_.front().axes.front());
}

NodePositions::NodePositions(const Grid& grid)
    : grid_(grid), whole_(whole_network_of(grid)), axes_(drawn_axes(whole_.grid)) {
  const bool has_table = grid.route_table() != nullptr;
  nodes_.resize(has_table ? grid.route_table()->vertex_count() : grid.node_count());
  if (!has_table && axes_.size() > most_drawn_axes) {
    throw std::invalid_argument(
        fmt::format("draw: {} has {} axes; at most {} can be drawn (two axes of length 2 count as one)",
                    to_string(grid), axes_.size(), most_drawn_axes));
  }
  is_circle_ = is_ring() || (has_table && !links_follow_axes());
  has_planes_ =
      !is_circle_ && axes_.size() == most_drawn_axes && whole_.grid.node_count() >= least_nodes_of_planes;
  if (is_circle_) {
    place_on_circle();
  } else if (has_planes_) {
    place_planes_side_by_side();
  } else {
    place_on_axes();
  }
  if (has_hosts(whole_) && (is_ring() || !is_circle_)) place_hosts();
  measure();
  if (has_planes_) name_planes();
}

/// Returns the coordinate of a node along a drawn axis. Two grid axes of extent 2 form the ring 00, 10, 11, 01.
int NodePositions::coordinate(GridNode vertex, const DrawnAxis& axis) const {
  const GridNode node = whole_.node_of_vertex[static_cast<std::size_t>(vertex)];
  const auto first = static_cast<int>(whole_.grid.coordinate(node, axis.axes.front()));
  if (axis.axes.size() == 1) return first;
  return whole_.grid.coordinate(node, axis.axes.back()) == 0 ? first : 3 - first;
}

/// Returns the move along the only axis on which the vertices differ by one, or else the move over the edge of an axis.
/// Returns nothing if a link between them is neither.
std::optional<NodePositions::Move> NodePositions::move_of(GridNode from, GridNode to) const {
  std::optional<Move> along;
  std::optional<Move> over_edge;
  int axes_apart = 0;
  for (const DrawnAxis& axis : axes_) {
    const int steps = coordinate(to, axis) - coordinate(from, axis);
    if (steps == 0) continue;
    ++axes_apart;
    if (std::abs(steps) == 1) along = Move{&axis, steps};
    if (std::abs(steps) == axis.extent - 1 && axis.extent > 2 && !over_edge) over_edge = Move{&axis, steps};
  }
  return axes_apart == 1 && along ? along : over_edge;
}

/// Returns whether two vertices are at one node of the whole network, as a host and its switch are.
bool NodePositions::are_together(GridNode one, GridNode other) const {
  return whole_.node_of_vertex[static_cast<std::size_t>(one)] ==
         whole_.node_of_vertex[static_cast<std::size_t>(other)];
}

bool NodePositions::links_follow_axes() const {
  // Switches that the whole network has already have no coordinates.
  if (axes_.size() > most_drawn_axes || whole_.node_of_vertex.size() < nodes_.size()) return false;
  return std::ranges::all_of(links_of(grid_), [&](const Link& link) {
    const GridNode to = end_of(grid_, link);
    return are_together(link.from, to) || move_of(link.from, to).has_value();
  });
}

void NodePositions::place_on_circle() {
  const auto count = static_cast<double>(is_ring() ? whole_.grid.node_count() : nodes_.size());
  const double radius = nodes_.size() < 2 ? 0 : spacing / 2 / std::sin(std::numbers::pi / count);
  for (std::size_t vertex = 0; vertex < nodes_.size(); ++vertex) {
    const auto place = is_ring() ? static_cast<std::size_t>(whole_.node_of_vertex[vertex]) : vertex;
    const double angle = 2 * std::numbers::pi * static_cast<double>(place) / count - std::numbers::pi / 2;
    nodes_[vertex] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
}

void NodePositions::place_on_axes() {
  const bool has_depth = axes_.size() == most_drawn_axes;
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

void NodePositions::place_planes_side_by_side() {
  node_radius_ = 13;
  stub_length_ = 18;
  axes_[0].step = {spacing, 0};
  axes_[1].step = {0, spacing};
  axes_[2].step = {depth, -depth};  // the direction of the strokes towards the next plane
  const double margin = 2 * (node_radius_ + rim + stub_length_) + plane_gap;
  const Point plane{(axes_[0].extent - 1) * spacing + margin, (axes_[1].extent - 1) * spacing + margin};
  const int in_a_row = std::max(static_cast<int>(width_of_planes / plane.x), 1);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const auto vertex = static_cast<GridNode>(node);
    const int column = coordinate(vertex, axes_[2]) % in_a_row;
    const int row = coordinate(vertex, axes_[2]) / in_a_row;
    nodes_[node] = Point{column * plane.x, row * plane.y} + coordinate(vertex, axes_[0]) * axes_[0].step +
                   coordinate(vertex, axes_[1]) * axes_[1].step;
  }
}

/// Writes `axis 2: 0` above the nodes of the first plane, and so on. Makes the box of the picture higher by one name.
void NodePositions::name_planes() {
  const auto& axes = axes_[2].axes;
  const std::string axis =
      axes.size() == 1 ? fmt::format("axis {}", axes[0]) : fmt::format("axes {} and {}", axes[0], axes[1]);
  for (int plane = 0; plane < axes_[2].extent; ++plane)
    plane_names_.push_back({greatest_, fmt::format("{}: {}", axis, plane)});
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const auto plane = static_cast<std::size_t>(coordinate(static_cast<GridNode>(node), axes_[2]));
    Point& at = plane_names_[plane].at;
    at = {std::min(at.x, nodes_[node].x - node_radius_), std::min(at.y, nodes_[node].y)};
  }
  for (PlaneName& name : plane_names_) name.at.y -= node_radius_ + rim + stub_length_ + 4;
  least_.y -= name_height;
}

/// Moves switches apart, and puts hosts around them between the directions of axes, or outside of a ring.
void NodePositions::place_hosts() {
  std::vector<std::size_t> hosts_at(whole_.grid.node_count());
  const auto host_count_at = [&](std::size_t host) -> std::size_t& {
    return hosts_at[static_cast<std::size_t>(whole_.node_of_vertex[host])];
  };
  for (std::size_t host = 0; host < grid_.node_count(); ++host) ++host_count_at(host);
  const std::size_t most = std::ranges::max(hosts_at);
  const std::size_t directions = is_ring() || axes_.size() == most_drawn_axes ? 8 : 4;
  const std::size_t places = (most + directions - 1) / directions * directions;
  const double angle = 2 * std::numbers::pi / static_cast<double>(places);
  const double radius = std::max(3.8 * node_radius_, (node_radius_ + 2 * rim) / std::sin(angle / 2));
  const double wider = 1 + 2 * (radius + node_radius_) / spacing;
  for (Point& node : nodes_) node = wider * node;
  const auto host_counts = hosts_at;
  std::ranges::fill(hosts_at, 0);
  for (std::size_t host = 0; host < grid_.node_count(); ++host) {
    const auto before = static_cast<double>(host_count_at(host)++);
    const auto here = static_cast<double>(host_counts[static_cast<std::size_t>(whole_.node_of_vertex[host])]);
    const double at = is_ring()
                          ? std::atan2(nodes_[host].y, nodes_[host].x) + angle * (before - (here - 1) / 2)
                          : angle * (before + 0.5);
    nodes_[host] = nodes_[host] + radius * Point{std::cos(at), std::sin(at)};
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
  const double clear = node_radius_ + rim;
  const auto move = is_circle_ ? std::nullopt : move_of(link.from, to_node);
  const bool is_to_neighbour = move && std::abs(move->steps) == 1;
  const bool is_between_planes = has_planes_ && move && move->axis == &axes_[2];
  if (!move || (is_to_neighbour && !is_between_planes)) {
    const Point along = unit(to - from);
    return {{from + clear * along, to - clear * along}};
  }
  const bool is_upward = is_to_neighbour == (move->steps > 0);  // over the edge, steps are the way back
  const Point outward = (is_upward ? 1 : -1) * unit(move->axis->step);
  return {{from + clear * outward, from + (clear + stub_length_) * outward},
          {to - (clear + stub_length_) * outward, to - clear * outward}};
}

}  // namespace cubefold::planner
