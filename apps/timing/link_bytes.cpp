#include "timing/link_bytes.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "program/values.hpp"

namespace cubefold::timing {

void add_tie_option(CLI::App& app, Tie& tie) {
  program::add_parsed(app, "--tie", tie, parse_tie,
                      "Direction of predicted routes that lead half way round an even ring:\n"
                      "positive (up) or balanced (up from even coordinates, down from\n"
                      "odd ones; the default)");
}

nlohmann::ordered_json link_bytes(const Grid& grid, const LinkLoads& messages,
                                  std::size_t bytes_per_message) {
  auto json = nlohmann::ordered_json::array();
  for (const Link& link : links_of(grid)) {
    json.push_back({{"from", static_cast<std::size_t>(link.from)},
                    {"to", static_cast<std::size_t>(end_of(grid, link))},
                    {"bytes", messages.on(link) * bytes_per_message}});
  }
  return json;
}

}  // namespace cubefold::timing
