#include "planner/launchers/allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "planner/text/lines.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

bool is_qualified(std::string_view name) {
  return name.find('.') != std::string_view::npos;
}

std::string_view short_name(std::string_view name) {
  return name.substr(0, name.find('.'));
}

std::string host_on(const Lines& lines, std::size_t per_node) {
  const auto words = lines.words();
  const std::string_view host = words[0];
  if (program::shown(host, host.size()) != host) {
    lines.fail(fmt::format("the host '{}' has control characters", program::shown(host)));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("slots=")) {
      lines.fail(fmt::format("'{}' behind the host is not slots=N", words[i]));
    }
    const auto slot_count = lines.whole_number(words[i].substr(6), "the number of slots");
    if (slot_count < per_node) {
      lines.fail(fmt::format("{} has {} for {}", host, program::counted(slot_count, "slot"),
                             program::counted(per_node, "process")));
    }
  }
  return std::string(host);
}

}  // namespace

std::vector<std::string> read_hosts(const std::string& path, std::size_t node_count, std::size_t per_node) {
  Lines lines(path, program::read_text(path));
  std::vector<std::string> hosts;
  std::map<std::string, std::size_t> line_of;
  while (lines.next()) {
    if (hosts.size() == node_count) {
      lines.fail(fmt::format("more than {}, one for each node", program::counted(node_count, "host")));
    }
    hosts.push_back(host_on(lines, per_node));
    if (const auto [first, is_new] = line_of.emplace(hosts.back(), lines.number()); !is_new) {
      lines.fail(fmt::format("{} stands on line {} already; a node has one line, whatever its slots",
                             hosts.back(), first->second));
    }
  }
  if (hosts.size() < node_count) {
    lines.fail(fmt::format("the file ends after {} where the grid has {}",
                           program::counted(hosts.size(), "host"), program::counted(node_count, "node")));
  }
  return hosts;
}

std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name) {
  std::optional<std::size_t> found;
  bool is_ambiguous = false;
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    const std::string_view known = hosts[node];
    if (known == name) return node;
    if (is_qualified(known) == is_qualified(name) || short_name(known) != short_name(name)) continue;
    is_ambiguous = found.has_value();
    found = node;
  }
  return is_ambiguous ? std::nullopt : found;
}

std::optional<std::string> doubt_about(const std::vector<std::string>& hosts) {
  const auto one = std::find_if(hosts.begin(), hosts.end(), is_qualified);
  const auto other = std::find_if_not(hosts.begin(), hosts.end(), is_qualified);
  if (one == hosts.end() || other == hosts.end()) return std::nullopt;
  return fmt::format(
      "hosts are named both ways, {} and {}; launchers may not know them for the same machines", *one,
      *other);
}

}  // namespace cubefold::planner
