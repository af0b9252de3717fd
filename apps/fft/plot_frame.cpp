#include "fft/plot_frame.hpp"

#include <fmt/format.h>

#include "drawing/scale.hpp"
#include "fft/plot_scale.hpp"

using cubefold::drawing::Element;
using cubefold::drawing::number;
using cubefold::drawing::text_at;

namespace cubefold::fft_program {

namespace {

constexpr const char* light =
    ".curve{fill:#26828e}.grid{stroke:#d5d8dd;stroke-width:1}.axis{stroke:#5a6270;stroke-width:1.3;fill:none}"
    ".title{font-size:15px;font-weight:600}.small{font-size:12px}.label{font-size:11px}"
    ".middle{font-size:11px;text-anchor:middle}.end{font-size:11px;text-anchor:end}";
constexpr const char* dark = ".curve{fill:#58c765}.grid{stroke:#3a3f47}.axis{stroke:#a9b1bd}";

}  // namespace

Element line(const std::string& style_class, double x1, double y1, double x2, double y2) {
  return {"line",
          {{"class", style_class},
           {"x1", number(x1)},
           {"y1", number(y1)},
           {"x2", number(x2)},
           {"y2", number(y2)}},
          "",
          {}};
}

Element path(const std::string& style_class, const std::string& d) {
  return {"path", {{"class", style_class}, {"d", d}}, "", {}};
}

Element picture(double width, double height, const PlotText& text) {
  Element svg =
      drawing::frame(width, height, text.title, drawing::load_style() + drawing::style_sheet(light, dark));
  svg.children.push_back(text_at(margin, margin + 15, text.title, "title"));
  svg.children.push_back(text_at(margin, margin + 34, text.note, "small"));
  return svg;
}

void add_column_labels(Element& svg, const Area& area, std::size_t column_count, const std::string& noun) {
  const auto count = static_cast<double>(column_count);
  for (const double value : round_steps(count, 6)) {
    if (value >= count) break;
    const double x = area.left + (value + 0.5) / count * area.width;
    svg.children.push_back(line("axis", x, area.bottom(), x, area.bottom() + 5));
    svg.children.push_back(text_at(x, area.bottom() + 18, fmt::format("{:.0f}", value), "middle"));
  }
  svg.children.push_back(text_at(area.left + area.width / 2, area.bottom() + 35, noun, "middle"));
}

void add_row_labels(Element& svg, const Area& area, std::size_t row_count) {
  const auto count = static_cast<double>(row_count);
  for (const double value : round_steps(count, 6)) {
    if (value >= count) break;
    const double y = area.top + (value + 0.5) / count * area.height;
    svg.children.push_back(line("axis", area.left - 5, y, area.left, y));
    svg.children.push_back(text_at(area.left - 8, y + 4, fmt::format("{:.0f}", value), "end"));
  }
}

}  // namespace cubefold::fft_program
