#include "cubefold/topology/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "names/known_names.hpp"

namespace cubefold {

namespace {

constexpr std::size_t max_node_count = std::size_t{1} << 31;

std::optional<std::string> problem_of(const std::vector<Axis>& axes) {
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

std::vector<Axis> equal_ends(const std::vector<std::uint32_t>& extents, Ends ends) {
  std::vector<Axis> axes;
  axes.reserve(extents.size());
  for (auto extent : extents) axes.push_back({extent, ends});
  return axes;
}

}  // namespace

Grid::Grid(std::vector<Axis> axes) : axes_(std::move(axes)) {
  if (auto problem = problem_of(axes_)) throw std::invalid_argument("Grid: " + *problem);
  strides_.reserve(axes_.size());
  for (const Axis& axis : axes_) {
    strides_.push_back(node_count_);
    node_count_ *= axis.extent;
  }
}

Grid::Grid(const std::vector<std::uint32_t>& extents, Ends ends) : Grid(equal_ends(extents, ends)) {}

bool Grid::has_wrap_link(int axis) const {
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

namespace {

/// Reads a grid's text from left to right and throws std::invalid_argument that quotes it.
class GridReader {
 public:
  explicit GridReader(std::string_view text) : text_(text) {}

  Grid read() {
    const auto colon = text_.find(':');
    if (colon == std::string_view::npos) fail("expected a kind and a colon, as in torus:8x8");
    const auto kind = text_.substr(0, colon);
    rest_ = text_.substr(colon + 1);

    if (kind == "hypercube") return hypercube();
    if (kind == "ring") return single_axis(Ends::wrapped);
    if (kind == "line") return single_axis(Ends::open);
    if (kind == "torus") return grid_of(axes(Ends::wrapped, false));
    if (kind == "mesh") return grid_of(axes(Ends::open, false));
    if (kind == "grid") return grid_of(axes(Ends::open, true));
    fail(unknown_name("kind", kind, {"torus", "mesh", "ring", "line", "hypercube", "grid"}));
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("grid '{}': {}", text_, rule));
  }

  Grid grid_of(const std::vector<Axis>& axes) const {
    if (auto problem = problem_of(axes)) fail(*problem);
    return Grid(axes);
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range) fail(fmt::format("'{}' is too large", rest_));
    if (error != std::errc{}) fail(fmt::format("expected a number at '{}'", rest_));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect_end() const {
    if (!rest_.empty()) fail(fmt::format("unexpected '{}' at the end", rest_));
  }

  std::vector<Axis> axes(Ends ends, bool each_axis_says) {
    std::vector<Axis> result;
    do {
      const auto extent = number();
      const bool wrapped = each_axis_says && skip('w');
      result.push_back({extent, wrapped ? Ends::wrapped : ends});
    } while (skip('x'));
    expect_end();
    return result;
  }

  Grid single_axis(Ends ends) {
    const auto extent = number();
    expect_end();
    return grid_of({{extent, ends}});
  }

  Grid hypercube() {
    const auto dimension_count = number();
    expect_end();
    if (dimension_count > 31) fail(fmt::format("dimension {} is above 31", dimension_count));
    return grid_of(std::vector<Axis>(dimension_count, {2, Ends::open}));
  }

  std::string_view text_;
  std::string_view rest_;
};

std::string extents_text(const Grid& grid, bool mark_wrapped) {
  std::string text;
  for (const Axis& axis : grid.axes()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(axis.extent);
    if (mark_wrapped && axis.ends == Ends::wrapped) text += 'w';
  }
  return text;
}

}  // namespace

Grid parse_grid(std::string_view text) {
  return GridReader(text).read();
}

std::string to_string(const Grid& grid) {
  const auto& axes = grid.axes();
  const auto all = [&](auto&& holds) { return std::all_of(axes.begin(), axes.end(), holds); };
  const bool all_open = all([](const Axis& a) { return a.ends == Ends::open; });
  const bool all_wrapped = all([](const Axis& a) { return a.ends == Ends::wrapped; });
  const bool all_two = all([](const Axis& a) { return a.extent == 2; });

  if (all_open && all_two) return fmt::format("hypercube:{}", axes.size());
  if (axes.size() == 1) return fmt::format("{}:{}", all_open ? "line" : "ring", axes[0].extent);
  if (all_open) return "mesh:" + extents_text(grid, false);
  if (all_wrapped) return "torus:" + extents_text(grid, false);
  return "grid:" + extents_text(grid, true);
}

}  // namespace cubefold
