#include "planner/launchers/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "program/json.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr std::array formats{
#define CUBEFOLD_ADDRESS(name) &name##_format,
    CUBEFOLD_LAUNCHER_FORMATS(CUBEFOLD_ADDRESS)
#undef CUBEFOLD_ADDRESS
};

/// Throws unless the format can say where the ranks of this allocation are.
void require_fit(const LauncherFormat& format, const Allocation& allocation) {
  if (format.needs_hosts && allocation.hosts.empty()) {
    throw std::invalid_argument("this format names hosts; say which with --hosts FILE");
  }
  if (!format.has_nodes) return;
  const WholeNetwork whole = whole_network_of(allocation.grid);
  const RouteTable* table = whole.grid.route_table();
  if (table != nullptr && table->switch_count() > 0) {
    throw std::invalid_argument(fmt::format("{}: the format has no nodes of {}, which has switches",
                                            format.name, to_string(whole.grid)));
  }
  const std::span hosts(whole.node_of_vertex.data(), allocation.grid.node_count());
  if (std::ranges::adjacent_find(hosts) == hosts.end()) return;
  throw std::invalid_argument(fmt::format("{}: the format names nodes of {}, and some have several hosts",
                                          format.name, to_string(whole.grid)));
}

}  // namespace

const LauncherFormat* launcher_named(std::string_view name) {
  std::vector<std::pair<std::string_view, const LauncherFormat*>> by_name;
  by_name.reserve(std::size(formats));
  for (const LauncherFormat* format : formats) by_name.emplace_back(format->name, format);
  return program::value_named("format", name, by_name);
}

std::string launcher_help() {
  std::vector<std::string> words;
  words.reserve(std::size(formats));
  for (const LauncherFormat* format : formats)
    words.push_back(fmt::format("{} ({})", format->name, format->used_by));
  return program::lines_of(words);
}

std::string launcher_text(const LauncherFormat& format, const Allocation& allocation,
                          std::span<const GridNode> node_of_rank) {
  require_fit(format, allocation);
  return format.text(allocation, node_of_rank);
}

std::vector<GridNode> read_launcher_file(const LauncherFormat& format, const Allocation& allocation,
                                         const std::string& path) {
  require_fit(format, allocation);
  Lines lines(path, program::read_text(path), format.has_comments ? '#' : '\0');
  return format.read(allocation, lines);
}

}  // namespace cubefold::planner
