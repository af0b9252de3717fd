#include "fft/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "cubefold/mpi/error.hpp"
#include "drawing/scale.hpp"
#include "drawing/svg.hpp"
#include "fft/plot_axes.hpp"
#include "mpi/agreement.hpp"

using cubefold::drawing::Element;
using cubefold::drawing::line;
using cubefold::drawing::LoadScale;
using cubefold::drawing::number;
using cubefold::drawing::text_at;
using cubefold::npy::NaturalOrder;

namespace cubefold::fft_program {

Plane plane_of(const npy::Shape& shape, std::size_t slice) {
  const std::size_t slices = shape.size() < 3 ? 1 : shape.front();
  if (slice >= slices) {
    throw std::invalid_argument(fmt::format("--slice {}: the result has {}", slice, slices));
  }
  const std::size_t columns = shape.back();
  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  return {slice * rows * columns, rows, columns};
}

template <typename T>
Cells pooled(const NaturalOrder& order, const Plane& plane, std::span<const T> part) {
  const bool is_curve = plane.row_count == 1;
  Cells cells{std::min(plane.row_count, plane_cells),
              std::min(plane.column_count, is_curve ? curve_columns : plane_cells),
              {}};
  mpi::agree_on_outcome(order.comm(), [&] { cells.largest.resize(cells.rows * cells.columns); });
  const std::size_t last_point = plane.first_point + plane.row_count * plane.column_count;
  const auto take = [&](std::size_t point, double magnitude) {
    const std::size_t in_plane = point - plane.first_point;
    const std::size_t row = in_plane / plane.column_count * cells.rows / plane.row_count;
    const std::size_t column = in_plane % plane.column_count * cells.columns / plane.column_count;
    double& largest = cells.largest[row * cells.columns + column];
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  };
  const npy::OwnPoints& own = order.own();
  own.for_each_run(
      own.count_below(plane.first_point), own.count_below(last_point), [&](const npy::OwnPoints::Run& run) {
        for (std::size_t i = 0; i < run.length; ++i) {
          take(run.point + i * run.step, static_cast<double>(std::abs(part[run.place + i * run.stride])));
        }
      });
  int rank = 0;
  mpi::check(MPI_Comm_rank(order.comm(), &rank), "MPI_Comm_rank");
  mpi::check(MPI_Reduce(rank == 0 ? MPI_IN_PLACE : cells.largest.data(), cells.largest.data(),
                        static_cast<int>(cells.largest.size()), MPI_DOUBLE, MPI_MAX, 0, order.comm()),
             "MPI_Reduce");
  return cells;
}

template Cells pooled(const NaturalOrder&, const Plane&, std::span<const float>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const double>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const std::complex<float>>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const std::complex<double>>);

namespace {

constexpr double curve_width = 720;
constexpr double curve_height = 300;

/// Returns the SVG path of one area that has all columns from the bottom up.
std::string curve_path(const Cells& cells, const PlotScale& scale, const Area& area) {
  std::string d = fmt::format("M{} {}", number(area.left), number(area.bottom()));
  const double column = area.width / static_cast<double>(cells.columns);
  for (std::size_t i = 0; i < cells.columns; ++i) {
    const double y = area.bottom() - scale.place_of(cells.largest[i]) * area.height;
    d += fmt::format("V{}H{}", number(y), number(area.left + static_cast<double>(i + 1) * column));
  }
  return d + fmt::format("V{}Z", number(area.bottom()));
}

std::string curve(const Cells& cells, const Plane& plane, const PlotText& text) {
  const Area area{margin + label_width, margin + title_height, curve_width, curve_height};
  const PlotScale scale(cells.largest, text.is_spectrum);
  Element svg = picture(area.right() + margin, area.bottom() + label_height + margin, text);
  for (const auto& tick : scale.ticks()) {
    const double y = area.bottom() - tick.place * area.height;
    svg.children.push_back(line("grid", area.left, y, area.right(), y));
    svg.children.push_back(text_at(area.left - 8, y + 4, tick.text, "end"));
  }
  svg.children.push_back(path("curve", curve_path(cells, scale, area)));
  svg.children.push_back(line("axis", area.left, area.bottom(), area.right(), area.bottom()));
  add_column_labels(svg, area, plane.column_count, text.is_spectrum ? "frequency" : "point");
  return to_text(svg);
}

}  // namespace

std::string plot(const Cells& cells, const Plane& plane, const PlotText& text) {
  return plane.row_count == 1 ? curve(cells, plane, text) : heat_map(cells, plane, text);
}

namespace {

constexpr double plane_side = 480;
constexpr double legend_gap = 28;
constexpr double legend_width = 76;
constexpr double bar_width = 16;

Element border(const Area& area) {
  return {"rect",
          {{"class", "axis"},
           {"x", number(area.left)},
           {"y", number(area.top)},
           {"width", number(area.width)},
           {"height", number(area.height)}},
          "",
          {}};
}

/// Returns the colour level of a cell, or -1 for a magnitude below the scale.
int level_of(double magnitude, const PlotScale& scale) {
  if (magnitude <= 0 || scale.place_of(magnitude) <= 0) return -1;
  return std::min(static_cast<int>(scale.place_of(magnitude) * LoadScale::level_count),
                  LoadScale::level_count - 1);
}

std::string level_class(int level) {
  return level < 0 ? "idle" : fmt::format("level-{}", level);
}

/// Draws each run of cells that have one level in one row as a rectangle, and all rectangles of a level as one path.
/// The side of a cell is one unit.
class LevelPaths {
 public:
  LevelPaths(const Cells& cells, const PlotScale& scale) : cells_(cells), scale_(scale) {
    for (std::size_t row = 0; row < cells_.rows; ++row) add_row(row);
  }

  Element drawn_in(const Area& area) const {
    Element group{
        "g",
        {{"shape-rendering", "crispEdges"},
         {"transform", fmt::format("translate({} {}) scale({:.6g} {:.6g})", number(area.left),
                                   number(area.top), area.width / static_cast<double>(cells_.columns),
                                   area.height / static_cast<double>(cells_.rows))}},
        "",
        {}};
    for (int level = -1; level < LoadScale::level_count; ++level) {
      const std::string& d = paths_.at(static_cast<std::size_t>(level) + 1);
      if (!d.empty()) group.children.push_back(path(level_class(level), d));
    }
    return group;
  }

 private:
  int level_at(std::size_t row, std::size_t column) const {
    return level_of(cells_.largest[row * cells_.columns + column], scale_);
  }

  void add_row(std::size_t row) {
    for (std::size_t begin = 0; begin < cells_.columns;) {
      const int level = level_at(row, begin);
      std::size_t end = begin + 1;
      while (end < cells_.columns && level_at(row, end) == level) ++end;
      paths_.at(static_cast<std::size_t>(level) + 1) +=
          fmt::format("M{} {}h{}v1h-{}z", begin, row, end - begin, end - begin);
      begin = end;
    }
  }

  const Cells& cells_;
  const PlotScale& scale_;
  std::array<std::string, LoadScale::level_count + 1> paths_;
};

Element bar(int level, double left, double top, double height) {
  return {"rect",
          {{"class", level_class(level)},
           {"x", number(left)},
           {"y", number(top)},
           {"width", number(bar_width)},
           {"height", number(height)}},
          "",
          {}};
}

void add_legend(Element& svg, const Area& area, const PlotScale& scale) {
  constexpr double overlap = 0.5;  // rectangles overlap, so that no gaps appear between the colours
  const double left = area.right() + legend_gap;
  const double step = area.height / LoadScale::level_count;
  for (int level = 0; level < LoadScale::level_count; ++level) {
    svg.children.push_back(bar(level, left, area.bottom() - (level + 1) * step, step + overlap));
  }
  for (const auto& tick : scale.ticks()) {
    const double y = area.bottom() - tick.place * area.height;
    svg.children.push_back(text_at(left + bar_width + 6, y + 4, tick.text, "label"));
  }
  svg.children.push_back(bar(-1, left, area.bottom() + 12, bar_width));
  svg.children.push_back(text_at(left + bar_width + 6, area.bottom() + 24, "less", "label"));
}

/// Returns an area with the proportions of the plane, within limits: thin planes are drawn thicker.
Area plane_area(const Plane& plane) {
  const double ratio = static_cast<double>(plane.row_count) / static_cast<double>(plane.column_count);
  const double height = plane_side * std::clamp(ratio, 0.25, 1.0);
  const double width = plane_side * std::clamp(1 / ratio, 0.25, 1.0);
  return {margin + label_width, margin + title_height, width, height};
}

}  // namespace

std::string heat_map(const Cells& cells, const Plane& plane, const PlotText& text) {
  const Area area = plane_area(plane);
  const PlotScale scale(cells.largest, text.is_spectrum);
  const double text_right =
      margin + std::max(drawing::text_width(text.title, 15), drawing::text_width(text.note, 12));
  const double right = std::max(area.right() + legend_gap + legend_width, text_right);
  Element svg = picture(right + margin, area.bottom() + label_height + margin, text);
  svg.children.push_back(LevelPaths(cells, scale).drawn_in(area));
  svg.children.push_back(border(area));
  add_column_labels(svg, area, plane.column_count,
                    text.is_spectrum ? "frequency in the last dimension" : "last dimension");
  add_row_labels(svg, area, plane.row_count);
  add_legend(svg, area, scale);
  return to_text(svg);
}

}  // namespace cubefold::fft_program
