#include "timing/link_bytes.hpp"

#include <fmt/format.h>

#include <string>

namespace cubefold::timing {

namespace {

bool exists(const Grid& grid, const Link& link) {
  if (grid.has_wrap_link(link.axis)) return true;
  const auto last = link.direction == Direction::positive ? grid.extent(link.axis) - 1 : 0;
  return grid.coordinate(link.from, link.axis) != last;
}

}  // namespace

void add_tie_option(CLI::App& app, Tie& tie) {
  const auto read = [&tie](const std::string& text) {
    if (text != "balanced" && text != "positive") {
      throw CLI::ValidationError("--tie", fmt::format("unknown tie '{}'; known: balanced, positive", text));
    }
    tie = text == "balanced" ? Tie::balanced : Tie::positive;
  };
  app.add_option_function<std::string>("--tie", read,
                                       "Which way predicted routes take halfway round an even ring:\n"
                                       "positive (up) or balanced (up from even coordinates, down\n"
                                       "from odd ones; the default)");
}

nlohmann::ordered_json link_bytes(const Grid& grid, const LinkLoads& messages,
                                  std::size_t bytes_per_message) {
  auto json = nlohmann::ordered_json::array();
  for (std::size_t node = 0; node < grid.node_count(); ++node) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      for (const Direction direction : {Direction::positive, Direction::negative}) {
        const Link link{static_cast<GridNode>(node), axis, direction};
        if (!exists(grid, link)) continue;
        json.push_back({{"from", node},
                        {"to", static_cast<std::size_t>(end_of(grid, link))},
                        {"bytes", messages.on(link) * bytes_per_message}});
      }
    }
  }
  return json;
}

}  // namespace cubefold::timing
