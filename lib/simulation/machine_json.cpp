#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cubefold/simulation/machine.hpp"
#include "cubefold/version.h"
#include "text/json_members.hpp"

namespace cubefold {

namespace {

void require_version(const JsonMembers& members) {
  const std::size_t version = members.count("format_version");
  if (version == machine_format_version) return;
  refuse_json(fmt::format("format version {}; this is cubefold {}, which reads {}", version, CUBEFOLD_VERSION,
                          machine_format_version));
}

void require_a_process_a_node(const Grid& grid, std::size_t process_count) {
  if (process_count == grid.node_count()) return;
  refuse_json(
      fmt::format("processes {} on the {} nodes of {}", process_count, grid.node_count(), to_string(grid)));
}

void require_hosts(const Grid& grid, std::size_t host_count) {
  if (host_count >= 1 && host_count <= grid.node_count()) return;
  refuse_json(fmt::format("hosts {} for {} processes", host_count, grid.node_count()));
}

void require_taus(const Grid& grid, std::size_t tau_count) {
  const bool has_axes = grid.route_table() == nullptr;
  if (tau_count == 1 || (has_axes && tau_count > 0 && tau_count == grid.axes().size())) return;
  refuse_json(fmt::format("tau_seconds_per_byte has {} values on {}; it takes one{}", tau_count,
                          to_string(grid), has_axes ? ", or one per axis" : ""));
}

void require_wraps(const Grid& grid, const std::vector<bool>& wraps) {
  if (wraps.size() != grid.axes().size()) {
    refuse_json(
        fmt::format("wraps has {} values on {}; it takes one per axis", wraps.size(), to_string(grid)));
  }
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (!wraps[static_cast<std::size_t>(axis)] || grid.has_wrap_link(axis)) continue;
    refuse_json(
        fmt::format("wraps is true for axis {} of {}, which has no wrap link", axis, to_string(grid)));
  }
}

/// Returns the objects of a key, whose sizes must ascend from above 0. Files of earlier versions lack the key.
std::vector<JsonMembers> ascending_objects(const JsonMembers& members, const char* key,
                                           const char* size_key) {
  if (!members.has(key)) return {};
  std::vector<JsonMembers> objects = members.objects(key);
  std::size_t before = 0;
  for (const JsonMembers& each : objects) {
    const std::size_t bytes = each.count(size_key);
    if (bytes <= before) {
      refuse_json(fmt::format("{} {} of {} is not above {}{}", size_key, bytes, key, before,
                              before > 0 ? ", which comes before it" : ""));
    }
    before = bytes;
  }
  return objects;
}

std::vector<PlainExchangeTimes> plain_exchanges_of(const JsonMembers& members) {
  std::vector<PlainExchangeTimes> times;
  for (const JsonMembers& each : ascending_objects(members, "plain_exchanges", "block_bytes"))
    times.push_back({each.count("block_bytes"), each.time("alltoall_seconds"), each.time("linear_seconds")});
  return times;
}

std::vector<PlainAllreduceTime> plain_allreduces_of(const JsonMembers& members) {
  std::vector<PlainAllreduceTime> times;
  for (const JsonMembers& each : ascending_objects(members, "plain_allreduces", "vector_bytes"))
    times.push_back({each.count("vector_bytes"), each.time("seconds")});
  return times;
}

Machine machine_of(const JsonMembers& members) {
  require_version(members);
  Machine machine{parse_grid(members.text("grid"))};
  machine.alpha_seconds = members.time("alpha_seconds");
  machine.gap_seconds = members.time("gap_seconds");
  machine.tau_seconds_per_byte = members.times("tau_seconds_per_byte");
  machine.barrier_seconds = members.time("barrier_seconds");
  if (members.has("copy_seconds_per_byte"))
    machine.copy_seconds_per_byte = members.time("copy_seconds_per_byte");
  machine.ports = parse_ports(members.text("ports"));
  if (members.has("queues")) machine.queues = parse_queues(members.text("queues"));
  machine.wraps = members.flags("wraps");
  machine.host_count = members.count("hosts");
  machine.mpi_library = members.text("mpi");
  machine.date = members.text("date");
  machine.plain_exchanges = plain_exchanges_of(members);
  machine.plain_allreduces = plain_allreduces_of(members);
  require_a_process_a_node(machine.grid, members.count("processes"));
  require_hosts(machine.grid, machine.host_count);
  require_taus(machine.grid, machine.tau_seconds_per_byte.size());
  require_wraps(machine.grid, machine.wraps);
  return machine;
}

Json json_of(const Machine& machine) {
  Json json{{"format_version", machine_format_version},
            {"cubefold", CUBEFOLD_VERSION},
            {"mpi", machine.mpi_library},
            {"date", machine.date},
            {"grid", to_string(machine.grid)},
            {"processes", machine.grid.node_count()},
            {"hosts", machine.host_count},
            {"alpha_seconds", machine.alpha_seconds},
            {"gap_seconds", machine.gap_seconds},
            {"tau_seconds_per_byte", machine.tau_seconds_per_byte},
            {"barrier_seconds", machine.barrier_seconds},
            {"copy_seconds_per_byte", machine.copy_seconds_per_byte},
            {"ports", to_string(machine.ports)},
            {"wraps", machine.wraps}};
  if (machine.queues != Queues::unknown) json["queues"] = to_string(machine.queues);
  for (const PlainExchangeTimes& each : machine.plain_exchanges) {
    json["plain_exchanges"].push_back({{"block_bytes", each.block_bytes},
                                       {"alltoall_seconds", each.alltoall_seconds},
                                       {"linear_seconds", each.linear_seconds}});
  }
  for (const PlainAllreduceTime& each : machine.plain_allreduces)
    json["plain_allreduces"].push_back({{"vector_bytes", each.vector_bytes}, {"seconds", each.seconds}});
  return json;
}

}  // namespace

Machine parse_machine(std::string_view json, std::string file) {
  try {
    const Json members = parsed_json(json);
    Machine machine = machine_of(JsonMembers(members));
    machine.file = std::move(file);
    return machine;
  } catch (const std::invalid_argument& error) {
    const std::string name = file.empty() ? "parse_machine" : fmt::format("machine file {}", file);
    throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
  }
}

std::string to_json(const Machine& machine) {
  const Json json = json_of(machine);
  std::string text = "{";
  for (const auto& [key, member] : json.items()) {
    text += fmt::format("{}\n  \"{}\": {}", text.size() > 1 ? "," : "", key, member.dump());
  }
  text += "\n}\n";
  // parse_machine() throws for values that cannot be read back.
  parse_machine(text, machine.file);
  return text;
}

Machine read_machine(const std::string& file) {
  std::string text;
  try {
    text = read_json_text(file);
  } catch (const std::system_error& error) {
    refuse_json(fmt::format("machine file {}: cannot read: {}", file, error.code().message()));
  }
  return parse_machine(text, file);
}

}  // namespace cubefold
