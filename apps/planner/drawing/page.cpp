#include "planner/drawing/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/topology/route.hpp"
#include "drawing/svg.hpp"
#include "planner/drawing/network_drawing.hpp"
#include "planner/page/page_parts.hpp"

namespace cubefold::planner {

using drawing::Element;
using drawing::number;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_hops = 2'000'000;
constexpr double bar_height = 150;

/// Collects the messages of steps with the links on their routes.
class StepData {
 public:
  explicit StepData(const Picture& picture) : picture_(picture), number_of_(link_index_count(picture.grid)) {
    const auto links = links_of(picture.grid);
    for (std::size_t i = 0; i < links.size(); ++i) number_of_[link_index(picture.grid, links[i])] = i;
  }

  Json steps_of(const Panel& panel) {
    Json steps = Json::array();
    for (const Phase& step : panel.steps) {
      Json messages = Json::array();
      for (const Traffic& sent : step.traffic) messages.push_back(message(panel, sent));
      steps.push_back({{"name", step.name}, {"weight", step.weight}, {"messages", std::move(messages)}});
    }
    return steps;
  }

 private:
  Json message(const Panel& panel, const Traffic& sent) {
    Json row{label(sent.from), label(sent.to), sent.messages};
    const auto links = route(picture_.grid, panel.node_of_rank[label(sent.from)],
                             panel.node_of_rank[label(sent.to)], picture_.tie);
    hops_ += links.size();
    if (hops_ > most_hops) {
      throw std::invalid_argument(
          fmt::format("draw: --html: the routes of all steps have more than {} links; draw a smaller network",
                      most_hops));
    }
    for (const Link& link : links) row.push_back(number_of_[link_index(picture_.grid, link)]);
    return row;
  }

  const Picture& picture_;
  std::vector<std::size_t> number_of_;  ///< by link_index()
  std::size_t hops_ = 0;
};

Json link_data(const Picture& picture, const NetworkDrawing& drawing) {
  Json links = Json::array();
  for (const Link& link : drawing.links()) {
    const Point mark = drawing.mark(link);
    links.push_back({link.from, end_of(picture.grid, link), mark.x, mark.y});
  }
  return links;
}

Json data_of(const Picture& picture, const NetworkDrawing& drawing) {
  Json data{{"noun", picture.noun},
            {"bound", picture.bound},
            {"nodes", picture.grid.node_count()},
            {"hosts", picture.hosts},
            {"links", link_data(picture, drawing)}};
  auto& panels = data["panels"] = Json::array();
  StepData steps(picture);
  for (const Panel& panel : picture.panels) {
    Json loads = Json::array();
    for (const Link& link : drawing.links()) loads.push_back(panel.loads[link_index(picture.grid, link)]);
    panels.push_back({{"title", panel.title},
                      {"node_of_rank", panel.node_of_rank},
                      {"loads", std::move(loads)},
                      {"steps", steps.steps_of(panel)}});
  }
  return data;
}

std::string escaped(const std::string& text) {
  const std::string element = to_text(Element{"b", {}, text, {}});
  return element.substr(3, element.size() - std::string("<b></b>\n").size());
}

/// Returns JSON that can stand in a script of a page: no text in it ends the script.
std::string script_text(const Json& data) {
  std::string text = data.dump();
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return text;
}

/// Returns an `svg` in the page whose box begins at the corner.
Element drawn(const std::string& style_class, Point corner, double width, double height,
              std::vector<Element> children) {
  return {"svg",
          {{"class", style_class},
           {"viewBox",
            fmt::format("{} {} {} {}", number(corner.x), number(corner.y), number(width), number(height))},
           {"width", number(width)},
           {"height", number(height)}},
          "",
          std::move(children)};
}

std::string panel_text(const Panel& panel, const NetworkDrawing& drawing) {
  Element network =
      drawn("network", drawing.corner(), drawing.width(), drawing.height(), drawing.network(panel));
  network.attributes.emplace_back("role", "group");
  return fmt::format("<section class=\"panel\"><h2>{}</h2><p class=\"said\">{}</p>\n{}</section>\n",
                     escaped(panel.title), drawing.busiest_text(panel), to_text(network));
}

}  // namespace

std::string to_html(const Picture& picture) {
  const NetworkDrawing drawing(picture);
  std::string panels;
  std::vector<std::string> titles;
  for (const Panel& panel : picture.panels) {
    panels += panel_text(panel, drawing);
    titles.push_back(panel.title);
  }
  const std::string title = fmt::format("{}: {}", to_string(picture.grid), fmt::join(titles, "; "));
  const Element legend = drawn("loads", {0, 0}, drawing.legend_width(),
                               NetworkDrawing::legend_height(bar_height), {drawing.legend(bar_height)});
  return fmt::format(
      page::text, fmt::arg("title", escaped(title)), fmt::arg("drawing_style", drawing.style()),
      fmt::arg("style", page::style), fmt::arg("panels", panels), fmt::arg("legend", to_text(legend)),
      fmt::arg("data", script_text(data_of(picture, drawing))), fmt::arg("script", page::script));
}

}  // namespace cubefold::planner
