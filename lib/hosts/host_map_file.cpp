#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/version.h"
#include "text/json_members.hpp"

namespace cubefold {

namespace {

constexpr std::size_t format_version = 1;

void require_version(const JsonMembers& members) {
  const std::size_t version = members.count("format_version");
  if (version == format_version) return;
  refuse_json(fmt::format("format version {}; this is cubefold {}, which reads {}", version, CUBEFOLD_VERSION,
                          format_version));
}

GridNode node_of(const JsonMembers& host, const Grid& network) {
  if (network.route_table() == nullptr) return network.node_at(host.coordinates("at"));
  const std::size_t node = host.count("at");
  if (node >= network.node_count()) {
    refuse_json(fmt::format("at {} is not a node of {}, which has {}", node, to_string(network),
                            network.node_count()));
  }
  return static_cast<GridNode>(node);
}

std::vector<Host> hosts_of(const JsonMembers& members, const Grid& network) {
  std::vector<Host> hosts;
  const Json& list = members.list("hosts");
  hosts.reserve(list.size());
  for (const Json& entry : list) {
    try {
      const JsonMembers host(entry);
      const std::size_t slots = host.has("slots") ? host.count("slots") : 0;
      hosts.push_back({host.text("name"), node_of(host, network), slots});
    } catch (const std::invalid_argument& error) {
      refuse_json(fmt::format("hosts[{}]: {}", hosts.size(), error.what()));
    }
  }
  return hosts;
}

HostMap map_of(const JsonMembers& members) {
  require_version(members);
  Grid network = parse_grid(members.text("network"));
  std::vector<Host> hosts = hosts_of(members, network);
  return {std::move(network), std::move(hosts), members.text("source")};
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string place_text(const Grid& network, GridNode node) {
  if (network.route_table() != nullptr) return std::to_string(static_cast<std::size_t>(node));
  return fmt::format("[{}]", fmt::join(network.coordinates(node), ", "));
}

std::string host_text(const Grid& network, const Host& host) {
  const std::string slots = host.slots == 0 ? "" : fmt::format(R"(, "slots": {})", host.slots);
  return fmt::format(R"(    {{"name": {}, "at": {}{}}})", quoted(host.name), place_text(network, host.node),
                     slots);
}

}  // namespace

HostMap parse_host_map(std::string_view text) {
  const Json json = parsed_json(text);
  return map_of(JsonMembers(json));
}

HostMap read_host_map(const std::string& path) {
  try {
    return parse_host_map(read_json_text(path));
  } catch (const std::system_error& error) {
    throw std::invalid_argument(fmt::format("hosts file {}: cannot read: {}", path, error.code().message()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("hosts file {}: {}", path, error.what()));
  }
}

std::string to_json(const HostMap& map) {
  std::vector<std::string> hosts;
  hosts.reserve(map.hosts().size());
  for (const Host& host : map.hosts()) hosts.push_back(host_text(map.network(), host));
  return fmt::format(
      "{{\n  \"format_version\": {},\n  \"network\": {},\n  \"source\": {},\n  \"hosts\": [\n{}\n  ]\n}}\n",
      format_version, quoted(to_string(map.network())), quoted(map.source()), fmt::join(hosts, ",\n"));
}

}  // namespace cubefold
