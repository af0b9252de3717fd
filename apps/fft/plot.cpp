#include "fft/plot.hpp"

#include <fmt/format.h>

#include "drawing/svg.hpp"
#include "fft/heat_map.hpp"
#include "fft/plot_frame.hpp"
#include "fft/plot_scale.hpp"

using cubefold::drawing::Element;
using cubefold::drawing::number;
using cubefold::drawing::text_at;

namespace cubefold::fft_program {

namespace {

constexpr double curve_width = 720;
constexpr double curve_height = 300;

/// Returns all columns as one area from the bottom up.
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

}  // namespace cubefold::fft_program
