#include <fmt/format.h>

#include <stdexcept>

#include "source.hpp"

namespace cubefold {

namespace {

bool begins_with_brace(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

HostMap map_of_json(const SourceInput& input) {
  return map_of_only_text(input, "json", [&](const SourceText& text) {
    HostMap map = parse_host_map(text.text);
    if (!input.grid || *input.grid == map.network()) return map;
    throw std::invalid_argument(
        fmt::format("its network is {}, and --grid is {}", to_string(map.network()), to_string(*input.grid)));
  });
}

}  // namespace

const HostSource json_source{"json", "hosts.json, the file that --output writes", begins_with_brace,
                             map_of_json};

}  // namespace cubefold
