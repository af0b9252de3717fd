#include "planner/drawing/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cubefold::planner {

using drawing::Element;
using drawing::LoadScale;
using drawing::number;
using drawing::text_at;
using drawing::text_width;

namespace {

constexpr double bar_width = 16;
constexpr double legend_title_height = 24;
constexpr double idle_height = 40;  ///< height of the part of the legend for links without load
constexpr double label_gap = 8;     ///< between the bar and the loads beside it

constexpr double shaft_width = 4.5;
constexpr double half_gap = 1.25;  ///< distance between the middle line and each of the two opposite links
constexpr double barb_length = 9;
constexpr double barb_width = 3.5;
constexpr double mark_letter_size = 10;
constexpr double host_letter_size = 9;
constexpr std::size_t most_host_letters = 8;  ///< of the end of a host's name, which differs most

constexpr const char* light =
    ".link{stroke:#ffffff;stroke-width:1.4;paint-order:stroke}.node{fill:#ffffff;"
    "stroke:#5a6270;stroke-width:1.3}.label{text-anchor:middle;pointer-events:none}";
constexpr const char* dark = ".link{stroke:#14171b}.node{fill:#14171b;stroke:#a9b1bd}";
/// The style of switches suits light and dark backgrounds.
constexpr const char* of_switches = ".switch{fill:none;stroke:#7d8694;stroke-width:1.3;stroke-dasharray:3 2}";

double largest_load(const Panel& panel) {
  return panel.loads.empty() ? 0 : std::ranges::max(panel.loads);
}

double largest_load(const Picture& picture) {
  double most = 0;
  for (const Panel& panel : picture.panels) most = std::max(most, largest_load(panel));
  return most;
}

/// Returns the point that lies so far forward on the stroke, and so far to its right-hand side.
Point beside(const Stroke& stroke, double forward, double aside) {
  const double length = std::hypot(stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y);
  const Point along{(stroke.to.x - stroke.from.x) / length, (stroke.to.y - stroke.from.y) / length};
  return {stroke.from.x + forward * along.x - aside * along.y,
          stroke.from.y + forward * along.y + aside * along.x};
}

/// Returns the path of half an arrow. Its straight side faces the link in the opposite direction.
std::string half_arrow(const Stroke& stroke) {
  const double length = std::hypot(stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y);
  const auto corner = [&](double forward, double aside) {
    const Point at = beside(stroke, forward, aside);
    return fmt::format("{} {}", number(at.x), number(at.y));
  };
  const double outer = half_gap + shaft_width;
  const double neck = length - std::min(barb_length, length / 2);
  return fmt::format("M{}L{}L{}L{}L{}Z", corner(0, half_gap), corner(length, half_gap),
                     corner(neck, outer + barb_width), corner(neck, outer), corner(0, outer));
}

std::string level_class(int level) {
  return level < 0 ? "idle" : fmt::format("level-{}", level);
}

Element titled(Element element, const std::string& tip) {
  element.children.push_back({"title", {}, tip, {}});
  return element;
}

std::string all_of(const std::vector<Rank>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (const Rank rank : ranks) text += fmt::format("{}{}", rank == ranks.front() ? "" : ", ", label(rank));
  return ranks.empty() ? "no rank" : text;
}

}  // namespace

std::vector<std::vector<Rank>> ranks_of_nodes(const std::vector<GridNode>& node_of_rank,
                                              std::size_t node_count) {
  std::vector<std::vector<Rank>> ranks(node_count);
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank)
    ranks[static_cast<std::size_t>(node_of_rank[rank])].push_back(static_cast<Rank>(rank));
  return ranks;
}

std::vector<std::string> short_list(const std::vector<Rank>& ranks) {
  std::vector<std::string> runs;
  std::size_t listed = 0;
  for (std::size_t first = 0, end = 0; first < ranks.size(); first = end) {
    while (end < ranks.size() && label(ranks[end]) - label(ranks[first]) == end - first) ++end;
    runs.push_back(end - first == 1 ? fmt::format("{}", label(ranks[first]))
                                    : fmt::format("{}-{}", label(ranks[first]), label(ranks[end - 1])));
    if (runs.size() == 1) listed = end;
  }
  if (runs.size() > 2) runs = {runs.front(), fmt::format("+{}", ranks.size() - listed)};
  return runs;
}

NetworkDrawing::NetworkDrawing(const Picture& picture)
    : picture_(picture),
      positions_(picture.grid),
      links_(links_of(picture.grid)),
      scale_(largest_load(picture), picture.noun, picture.bound) {}

std::string NetworkDrawing::style() const {
  return drawing::load_style() + drawing::style_sheet(light, dark) +
         fmt::format(".small{{font-size:{}px}}", letter_size) + (has_switches() ? of_switches : "") +
         (picture_.hosts.empty() ? "" : fmt::format(".host{{font-size:{}px}}", host_letter_size));
}

std::string NetworkDrawing::load_text(double load) const {
  std::string unit = scale_.unit();
  if (load == 1 && unit == picture_.noun) unit.pop_back();  // one `message`
  return fmt::format("{} {}", scale_.text(load), unit);
}

std::string NetworkDrawing::busiest_text(const Panel& panel) const {
  return "busiest link: " + load_text(largest_load(panel));
}

/// Returns a text such as `rank 3 to 7: 2 messages`. Nodes that have not exactly one rank each have their numbers.
std::string NetworkDrawing::link_tip(const Panel& panel, const Link& link,
                                     const std::vector<std::vector<Rank>>& ranks) const {
  const bool by_rank = std::ranges::all_of(ranks, [](const auto& of_node) { return of_node.size() == 1; });
  const auto name = [&](GridNode vertex) {
    const auto at = static_cast<std::size_t>(vertex);
    if (at >= ranks.size()) return fmt::format("switch {}", at);
    return fmt::format("{}", by_rank ? label(ranks[at].front()) : at);
  };
  const bool is_from_node = static_cast<std::size_t>(link.from) < ranks.size();
  const char* kind = by_rank ? "rank " : "node ";
  return fmt::format("{}{} to {}: {}", is_from_node ? kind : "", name(link.from),
                     name(end_of(picture_.grid, link)),
                     load_text(panel.loads[link_index(picture_.grid, link)]));
}

Element NetworkDrawing::link_path(const Panel& panel, const Link& link,
                                  const std::vector<std::vector<Rank>>& ranks) const {
  std::string path;
  for (const Stroke& stroke : positions_.strokes(link)) path += half_arrow(stroke);
  const int level = scale_.level(panel.loads[link_index(picture_.grid, link)]);
  return titled({"path", {{"class", "link " + level_class(level)}, {"d", path}}, "", {}},
                link_tip(panel, link, ranks));
}

std::vector<Element> NetworkDrawing::node_circle(std::size_t node, const std::vector<Rank>& ranks) const {
  const Point at = positions_.nodes()[node];
  const auto lines = short_list(ranks);
  std::size_t longest = 1;
  for (const auto& text : lines) longest = std::max(longest, text.size());
  const double wide = 2 * (positions_.node_radius() - 2);
  const double font_size =
      std::min(letter_size / static_cast<double>(std::max<std::size_t>(lines.size(), 1)) * 1.3,
               std::min(letter_size, wide / 0.62 / static_cast<double>(longest)));
  const std::string host = picture_.hosts.empty() ? "" : fmt::format(", host {}", picture_.hosts[node]);
  std::vector<Element> drawn{titled({"circle",
                                     {{"class", "node"},
                                      {"cx", number(at.x)},
                                      {"cy", number(at.y)},
                                      {"r", number(positions_.node_radius())}},
                                     "",
                                     {}},
                                    fmt::format("node {}{}: {}", node, host, all_of(ranks)))};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double above = (static_cast<double>(lines.size()) - 1) / 2 - static_cast<double>(i);
    Element text = text_at(at.x, at.y - above * font_size, lines[i], "label");
    text.attributes.emplace_back("dy", "0.36em");
    text.attributes.emplace_back("font-size", number(font_size));
    drawn.push_back(std::move(text));
  }
  return drawn;
}

Element NetworkDrawing::switch_circle(std::size_t vertex) const {
  const Point at = positions_.nodes()[vertex];
  return titled({"circle",
                 {{"class", "switch"},
                  {"cx", number(at.x)},
                  {"cy", number(at.y)},
                  {"r", number(positions_.node_radius() / 2)}},
                 "",
                 {}},
                fmt::format("switch {}", vertex));
}

/// Returns the end of the host's name up to the first dot, to the right and below of the node.
Element NetworkDrawing::host_name(std::size_t node) const {
  const Point at = positions_.nodes()[node];
  const double radius = positions_.node_radius();
  std::string name = picture_.hosts[node].substr(0, picture_.hosts[node].find('.'));
  if (name.size() > most_host_letters) name = name.substr(name.size() - most_host_letters);
  return text_at(at.x + 0.6 * radius, at.y + radius + 0.8 * host_letter_size, name, "host");
}

std::vector<Element> NetworkDrawing::network(const Panel& panel) const {
  std::vector<Element> drawn;
  const std::size_t node_count = picture_.grid.node_count();
  const auto ranks = ranks_of_nodes(panel.node_of_rank, node_count);
  for (const Link& link : links_) drawn.push_back(link_path(panel, link, ranks));
  for (std::size_t node = 0; node < node_count; ++node) {
    for (Element& part : node_circle(node, ranks[node])) drawn.push_back(std::move(part));
    if (!picture_.hosts.empty()) drawn.push_back(host_name(node));
  }
  for (std::size_t vertex = node_count; vertex < positions_.nodes().size(); ++vertex)
    drawn.push_back(switch_circle(vertex));
  for (const PlaneName& name : positions_.plane_names())
    drawn.push_back(text_at(name.at.x, name.at.y, name.text, "small"));
  return drawn;
}

Point NetworkDrawing::mark(const Link& link) const {
  const Stroke stroke = positions_.strokes(link).front();
  const double length = std::hypot(stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y);
  return beside(stroke, length / 2, half_gap + shaft_width + barb_width + mark_letter_size / 2);
}

double NetworkDrawing::legend_width() const {
  double width = text_width(scale_.unit(), letter_size);
  for (const double tick : scale_.ticks()) {
    const std::string text = scale_.text(tick) + (tick == scale_.bound() ? " (bound)" : "");
    width = std::max(width, bar_width + label_gap + text_width(text, letter_size));
  }
  return width;
}

double NetworkDrawing::legend_height(double bar_height) {
  return legend_title_height + bar_height + idle_height;
}

Element NetworkDrawing::legend(double bar_height) const {
  const double top = legend_title_height;
  Element legend{"g", {{"class", "legend"}}, "", {text_at(0, top - 10, scale_.unit(), "small")}};
  const auto box = [&](double y, double height, int level) {
    legend.children.push_back({"rect",
                               {{"class", level_class(level)},
                                {"x", "0"},
                                {"y", number(y)},
                                {"width", number(bar_width)},
                                {"height", number(height)}},
                               "",
                               {}});
  };
  const auto name = [&](double y, const std::string& text) {
    legend.children.push_back(text_at(bar_width + label_gap, y + 5, text, "small"));
  };
  const double step = bar_height / LoadScale::level_count;
  for (int level = 0; level < LoadScale::level_count; ++level)
    box(top + bar_height - (level + 1) * step, step + 0.3, level);
  for (const double tick : scale_.ticks()) {
    if (tick == 0) continue;
    const char* what = tick == scale_.bound() ? " (bound)" : "";
    name(top + bar_height * (1 - scale_.place_of(tick)), scale_.text(tick) + what);
  }
  box(top + bar_height + 14, 12, -1);
  name(top + bar_height + 20, "0");
  return legend;
}

}  // namespace cubefold::planner
