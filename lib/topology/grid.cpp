#include "cubefold/topology/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr std::size_t max_node_count = std::size_t{1} << 31;

std::vector<Axis> equal_ends(const std::vector<std::uint32_t>& extents, Ends ends) {
  std::vector<Axis> axes;
  axes.reserve(extents.size());
  for (auto extent : extents) axes.push_back({extent, ends});
  return axes;
}

}  // namespace

std::optional<std::string> Grid::problem_of(const std::vector<Axis>& axes) {
  std::size_t node_count = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].extent == 0) return fmt::format("extent 0 of axis {} is not positive", axis);
    node_count *= axes[axis].extent;
    if (node_count > max_node_count) {
      return fmt::format("axes 0 to {} have more than {} nodes", axis, max_node_count);
    }
  }
  return std::nullopt;
}

Grid::Grid(std::vector<Axis> axes) : axes_(std::move(axes)) {
  if (auto problem = problem_of(axes_)) throw std::invalid_argument("Grid: " + *problem);
  strides_.reserve(axes_.size());
  for (const Axis& axis : axes_) {
    strides_.push_back(node_count_);
    node_count_ *= axis.extent;
  }
}

Grid::Grid(const std::vector<std::uint32_t>& extents, Ends ends) : Grid(equal_ends(extents, ends)) {}

Grid::Grid(std::vector<Axis> axes, RouteTable table, std::string name) : Grid(std::move(axes)) {
  if (table.node_count() != node_count_) {
    throw std::invalid_argument(
        fmt::format("Grid: {} nodes, and a route table of {} nodes", node_count_, table.node_count()));
  }
  table_ = std::make_shared<const RouteTable>(std::move(table));
  name_ = std::move(name);
}

Grid::Grid(WholeNetwork whole, RouteTable table, std::string name)
    : Grid({{static_cast<std::uint32_t>(table.node_count()), Ends::open}}, std::move(table),
           std::move(name)) {
  whole_ = std::make_shared<const WholeNetwork>(std::move(whole));
}

bool Grid::operator==(const Grid& other) const {
  if (axes_ != other.axes_ || (table_ == nullptr) != (other.table_ == nullptr)) return false;
  return table_ == other.table_ || *table_ == *other.table_;
}

void Grid::require_links_by_axes() const {
  if (table_) throw std::invalid_argument(fmt::format("{} is neither a mesh nor a torus", name_));
}

bool Grid::has_wrap_link(int axis) const {
  require_links_by_axes();
  const Axis& a = axes_[static_cast<std::size_t>(axis)];
  return a.ends == Ends::wrapped && a.extent > 2;
}

std::vector<std::uint32_t> Grid::coordinates(GridNode node) const {
  std::vector<std::uint32_t> result(axes_.size());
  for (int axis = 0; axis < axis_count(); ++axis) {
    result[static_cast<std::size_t>(axis)] = coordinate(node, axis);
  }
  return result;
}

GridNode Grid::node_at(std::span<const std::uint32_t> coordinates) const {
  if (coordinates.size() != axes_.size()) {
    throw std::invalid_argument(
        fmt::format("Grid::node_at: {} coordinates for a grid of {} axes", coordinates.size(), axes_.size()));
  }
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (coordinates[axis] >= axes_[axis].extent) {
      throw std::invalid_argument(
          fmt::format("Grid::node_at: coordinate {} of axis {} is not below its extent {}", coordinates[axis],
                      axis, axes_[axis].extent));
    }
    index += coordinates[axis] * strides_[axis];
  }
  return static_cast<GridNode>(index);
}

}  // namespace cubefold
