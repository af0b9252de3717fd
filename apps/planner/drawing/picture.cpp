#include "planner/drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/svg.hpp"
#include "planner/drawing/network_drawing.hpp"

namespace cubefold::planner {

using drawing::Element;
using drawing::frame;
using drawing::number;
using drawing::text_at;
using drawing::text_width;
using drawing::to_text;

namespace {

constexpr double margin = 16;
constexpr double panel_gap = 28;
/// The width of panels beside each other. In a page of 800 pixels their letters of 15 pixels have 9.
constexpr double greatest_width = 1300;
constexpr double letter_size = NetworkDrawing::letter_size;
constexpr double title_size = 18;
constexpr double title_height = 52;
constexpr double caption_height = 34;
constexpr double least_bar_height = 80;
constexpr double greatest_bar_height = 160;

/// Lays out the panels, their titles and the legend.
class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture), network_(picture) {}

  std::string text() const {
    const double width = std::max(2 * margin + panels_width() + network_.legend_width(),
                                  2 * margin + text_width(picture_.caption, letter_size));
    const double height =
        2 * margin + static_cast<double>(rows()) * row_height() - panel_gap + caption_height;
    const std::string titles = fmt::format(".title{{font-size:{}px;font-weight:600}}", title_size);
    Element svg = frame(width, height, picture_.caption, network_.style() + titles);
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) svg.children.push_back(panel(i));
    Element legend = network_.legend(bar_height());
    legend.attributes.emplace_back("transform",
                                   translation(margin + panels_width(), margin + title_height - 14));
    svg.children.push_back(std::move(legend));
    svg.children.push_back(text_at(margin, height - margin, picture_.caption, "small"));
    return to_text(svg);
  }

 private:
  static std::string translation(double x, double y) {
    return fmt::format("translate({} {})", number(x), number(y));
  }

  double panel_height() const {
    return std::max(network_.height(), NetworkDrawing::legend_height(least_bar_height));
  }

  double bar_height() const {
    return std::min(panel_height() - NetworkDrawing::legend_height(0), greatest_bar_height);
  }

  double panel_width() const {
    double width = network_.width();
    for (const Panel& panel : picture_.panels) {
      width = std::max({width, text_width(panel.title, title_size),
                        text_width(network_.busiest_text(panel), letter_size)});
    }
    return width;
  }

  double column_width() const { return panel_width() + panel_gap; }
  double row_height() const { return title_height + panel_height() + panel_gap; }

  std::size_t columns() const {
    const double fitting =
        std::max(1.0, (greatest_width - 2 * margin - network_.legend_width()) / column_width());
    return std::min(picture_.panels.size(), static_cast<std::size_t>(fitting));
  }
  std::size_t rows() const { return (picture_.panels.size() + columns() - 1) / columns(); }

  double panels_width() const { return static_cast<double>(columns()) * column_width(); }

  Element panel(std::size_t index) const {
    const Panel& panel = picture_.panels[index];
    const double left = margin + static_cast<double>(index % columns()) * column_width();
    const std::size_t row = index / columns();
    const double top = margin + static_cast<double>(row) * row_height();
    const std::string place = translation(left + (panel_width() - network_.width()) / 2 - network_.corner().x,
                                          top + title_height - network_.corner().y);
    return {"g",
            {{"class", "panel"}},
            "",
            {text_at(left, top + 16, panel.title, "title"),
             text_at(left, top + 38, network_.busiest_text(panel), "small"),
             {"g", {{"transform", place}}, "", network_.network(panel)}}};
  }

  const Picture& picture_;
  NetworkDrawing network_;
};

}  // namespace

std::string to_svg(const Picture& picture) {
  return Drawing(picture).text();
}

}  // namespace cubefold::planner
