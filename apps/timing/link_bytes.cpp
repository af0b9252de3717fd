#include "timing/link_bytes.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace cubefold::timing {

void add_tie_option(CLI::App& app, Tie& tie) {
  const auto read = [&tie](const std::string& text) {
    try {
      tie = parse_tie(text);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--tie", error.what());
    }
  };
  app.add_option_function<std::string>("--tie", read,
                                       "Which way predicted routes take halfway round an even ring:\n"
                                       "positive (up) or balanced (up from even coordinates, down\n"
                                       "from odd ones; the default)");
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
