#include "planner/drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cubefold/topology/route.hpp"
#include "drawing/scale.hpp"
#include "drawing/svg.hpp"
#include "planner/drawing/node_positions.hpp"

namespace cubefold::planner {

using drawing::Element;
using drawing::frame;
using drawing::load_style;
using drawing::LoadScale;
using drawing::number;
using drawing::style_sheet;
using drawing::text_at;
using drawing::text_width;
using drawing::to_text;

namespace {

constexpr double margin = 16;
constexpr double panel_gap = 28;
/// The width of panels beside each other. In a page of 800 pixels their letters of 15 pixels have 9.
constexpr double greatest_width = 1300;
constexpr double letter_size = 15;
constexpr double title_size = 18;
constexpr double title_height = 52;
constexpr double caption_height = 34;
constexpr double legend_width = 110;
constexpr double bar_width = 16;
constexpr double least_bar_height = 80;
constexpr double greatest_bar_height = 160;
constexpr double idle_height = 50;  ///< height of the part of the legend for links without load

constexpr double shaft_width = 4.5;
constexpr double half_gap = 1.25;  ///< distance between the middle line and each of the two opposite links
constexpr double barb_length = 9;
constexpr double barb_width = 3.5;

constexpr const char* light =
    ".link{stroke:#ffffff;stroke-width:1.4;paint-order:stroke}.node{fill:#ffffff;"
    "stroke:#5a6270;stroke-width:1.3}"
    ".label{text-anchor:middle}";
constexpr const char* dark = ".link{stroke:#14171b}.node{fill:#14171b;stroke:#a9b1bd}";
/// The style of switches suits light and dark backgrounds.
constexpr const char* of_switches = ".switch{fill:none;stroke:#7d8694;stroke-width:1.3;stroke-dasharray:3 2}";

std::string style_of_texts() {
  return fmt::format(".title{{font-size:{}px;font-weight:600}}.small{{font-size:{}px}}", title_size,
                     letter_size);
}

/// Returns the path of half an arrow. Its straight side faces the link in the opposite direction.
std::string half_arrow(const Stroke& stroke) {
  const double length = std::hypot(stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y);
  const Point along{(stroke.to.x - stroke.from.x) / length, (stroke.to.y - stroke.from.y) / length};
  const auto corner = [&](double forward, double aside) {
    return fmt::format("{} {}", number(stroke.from.x + forward * along.x - aside * along.y),
                       number(stroke.from.y + forward * along.y + aside * along.x));
  };
  const double outer = half_gap + shaft_width;
  const double neck = length - std::min(barb_length, length / 2);
  return fmt::format("M{}L{}L{}L{}L{}Z", corner(0, half_gap), corner(length, half_gap),
                     corner(neck, outer + barb_width), corner(neck, outer), corner(0, outer));
}

std::string level_class(int level) {
  return level < 0 ? "idle" : fmt::format("level-{}", level);
}

class Drawing {
 public:
  explicit Drawing(const Picture& picture)
      : picture_(picture),
        positions_(picture.grid),
        links_(links_of(picture.grid)),
        scale_(largest(picture), picture.noun) {}

  std::string text() const {
    const double width = std::max(2 * margin + panels_width() + legend_width,
                                  2 * margin + text_width(picture_.caption, letter_size));
    const double height =
        2 * margin + static_cast<double>(rows()) * row_height() - panel_gap + caption_height;
    Element svg = frame(
        width, height, picture_.caption,
        load_style() + style_sheet(light, dark) + style_of_texts() + (has_switches() ? of_switches : ""));
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) svg.children.push_back(panel(i));
    svg.children.push_back(legend());
    svg.children.push_back(text_at(margin, height - margin, picture_.caption, "small"));
    return to_text(svg);
  }

 private:
  static double largest(const Picture& picture) {
    double most = 0;
    for (const Panel& panel : picture.panels) most = std::max(most, busiest(panel));
    return most;
  }

  static double busiest(const Panel& panel) {
    return panel.loads.empty() ? 0 : *std::max_element(panel.loads.begin(), panel.loads.end());
  }

  bool has_switches() const { return positions_.nodes().size() > picture_.grid.node_count(); }

  double graph_width() const { return positions_.greatest().x - positions_.least().x; }
  double graph_height() const { return positions_.greatest().y - positions_.least().y; }
  double panel_height() const { return std::max(graph_height(), least_bar_height + idle_height); }

  double bar_height() const { return std::min(panel_height() - idle_height, greatest_bar_height); }

  double panel_width() const {
    double width = graph_width();
    for (const Panel& panel : picture_.panels) {
      width = std::max(
          {width, text_width(panel.title, title_size), text_width(busiest_text(panel), letter_size)});
    }
    return width;
  }

  double column_width() const { return panel_width() + panel_gap; }
  double row_height() const { return title_height + panel_height() + panel_gap; }

  std::size_t columns() const {
    const double fitting = std::max(1.0, (greatest_width - 2 * margin - legend_width) / column_width());
    return std::min(picture_.panels.size(), static_cast<std::size_t>(fitting));
  }
  std::size_t rows() const { return (picture_.panels.size() + columns() - 1) / columns(); }

  double panels_width() const { return static_cast<double>(columns()) * column_width(); }

  std::string load_text(double load) const {
    std::string unit = scale_.unit();
    if (load == 1 && unit == picture_.noun) unit.pop_back();  // one `message`
    return fmt::format("{} {}", scale_.text(load), unit);
  }

  std::string busiest_text(const Panel& panel) const { return "busiest link: " + load_text(busiest(panel)); }

  /// Returns the rank on a node, or `switch` and the number of a switch.
  static std::string name_of(const Panel& panel, GridNode vertex) {
    const auto number = static_cast<std::size_t>(vertex);
    return number < panel.ranks.size() ? std::to_string(label(panel.ranks[number]))
                                       : fmt::format("switch {}", number);
  }

  Element link_path(const Panel& panel, const Link& link) const {
    const double load = panel.loads[link_index(picture_.grid, link)];
    std::string path;
    for (const Stroke& stroke : positions_.strokes(link)) path += half_arrow(stroke);
    const bool is_from_rank = static_cast<std::size_t>(link.from) < panel.ranks.size();
    const std::string tip =
        fmt::format("{}{} to {}: {}", is_from_rank ? "rank " : "", name_of(panel, link.from),
                    name_of(panel, end_of(picture_.grid, link)), load_text(load));
    return {"path",
            {{"class", "link " + level_class(scale_.level(load))}, {"d", path}},
            "",
            {{"title", {}, tip, {}}}};
  }

  std::vector<Element> node_circle(const Panel& panel, std::size_t node) const {
    const Point at = positions_.nodes()[node];
    const std::string rank = std::to_string(label(panel.ranks[node]));
    const double font_size =
        std::min(letter_size, 2 * (positions_.node_radius() - 2) / 0.62 / static_cast<double>(rank.size()));
    Element text = text_at(at.x, at.y, rank, "label");
    text.attributes.emplace_back("dy", "0.36em");
    text.attributes.emplace_back("font-size", number(font_size));
    return {{"circle",
             {{"class", "node"},
              {"cx", number(at.x)},
              {"cy", number(at.y)},
              {"r", number(positions_.node_radius())}},
             "",
             {}},
            text};
  }

  Element switch_circle(std::size_t vertex) const {
    const Point at = positions_.nodes()[vertex];
    return {"circle",
            {{"class", "switch"},
             {"cx", number(at.x)},
             {"cy", number(at.y)},
             {"r", number(positions_.node_radius() / 2)}},
            "",
            {}};
  }

  Element panel(std::size_t index) const {
    const Panel& panel = picture_.panels[index];
    const std::size_t row = index / columns();
    const std::size_t column = index % columns();
    const double left = margin + static_cast<double>(column) * column_width();
    const double top = margin + static_cast<double>(row) * row_height();
    Element graph{
        "g",
        {{"transform", fmt::format("translate({} {})",
                                   number(left + (panel_width() - graph_width()) / 2 - positions_.least().x),
                                   number(top + title_height - positions_.least().y))}},
        "",
        {}};
    for (const Link& link : links_) graph.children.push_back(link_path(panel, link));
    for (std::size_t node = 0; node < panel.ranks.size(); ++node) {
      for (Element& part : node_circle(panel, node)) graph.children.push_back(std::move(part));
    }
    for (std::size_t vertex = panel.ranks.size(); vertex < positions_.nodes().size(); ++vertex)
      graph.children.push_back(switch_circle(vertex));
    return {"g",
            {{"class", "panel"}},
            "",
            {text_at(left, top + 16, panel.title, "title"),
             text_at(left, top + 38, busiest_text(panel), "small"), std::move(graph)}};
  }

  /// Returns the legend, which shows the colours with their loads and, separately, the colour of links without load.
  Element legend() const {
    const double left = margin + panels_width();
    const double top = margin + title_height + 10;
    Element legend{"g", {{"class", "legend"}}, "", {text_at(left, top - 14, scale_.unit(), "small")}};
    const auto box = [&](double y, double height, int level) {
      legend.children.push_back({"rect",
                                 {{"class", level_class(level)},
                                  {"x", number(left)},
                                  {"y", number(y)},
                                  {"width", number(bar_width)},
                                  {"height", number(height)}},
                                 "",
                                 {}});
    };
    const double step = bar_height() / LoadScale::level_count;
    for (int level = 0; level < LoadScale::level_count; ++level) {
      box(top + bar_height() - (level + 1) * step, step + 0.3, level);
    }
    for (const double tick : scale_.ticks()) {
      if (tick == 0) continue;
      const double y = top + bar_height() * (1 - tick / scale_.largest());
      legend.children.push_back(text_at(left + bar_width + 8, y + 5, scale_.text(tick), "small"));
    }
    box(top + bar_height() + 14, 12, -1);
    legend.children.push_back(text_at(left + bar_width + 8, top + bar_height() + 25, "0", "small"));
    return legend;
  }

  const Picture& picture_;
  NodePositions positions_;
  std::vector<Link> links_;
  LoadScale scale_;
};

}  // namespace

std::string to_svg(const Picture& picture) {
  return Drawing(picture).text();
}

}  // namespace cubefold::planner
