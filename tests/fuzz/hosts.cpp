#include <algorithm>

#include "fuzz/host_sources.hpp"
#include "fuzz/text_in_file.hpp"
#include "hosts/host_list.hpp"
#include "planner/launchers/allocation.hpp"

namespace cubefold::fuzz {

void read_by_source(const HostSource& source, const SourceInput& input) {
  for (const SourceText& text : input.texts) source.recognises(text.text);
  const HostMap map = source.map(input);
  const HostMap again = read_back(parse_host_map, to_json(map));
  // source() may quote bytes of the text that are no UTF-8, which JSON cannot have.
  require(again.network() == map.network() && again.hosts() == map.hosts(),
          "the JSON of the map is another map");
}

namespace {

void read_coordinates(std::string_view text) {
  read_by_source(coordinates_source, {{{"text", std::string(text)}}, {}, {}});
}

/// The first line is the pattern, and the other lines are the hosts.
void read_name_pattern(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string hosts(text.substr(std::min(end + 1, text.size())));
  read_by_source(pattern_source, {{{"hosts", hosts}}, {}, std::string(text.substr(0, end))});
}

void read_host_list(std::string_view text) {
  require(expand_host_list(text).size() <= most_listed_hosts, "there are more hosts than allowed");
}

void read_hosts_json(std::string_view text) {
  if (!names_costly_network(text)) read_by_source(json_source, {{{"text", std::string(text)}}, {}, {}});
}

void read_job_hosts(std::string_view text) {
  if (names_costly_network(text)) return;
  const TextInFile file(text);
  const planner::JobHosts hosts = planner::read_hosts(file.path(), parse_grid("torus:4x2"), 2);
  require(hosts.names.size() == hosts.grid.node_count(), "there is not one host for each node");
}

constexpr std::size_t lists_of_hosts_bytes = std::size_t{512} << 20;  // 2^18 names of up to 255 bytes

}  // namespace

const FuzzedParser coordinates_parser{"coordinates", read_coordinates};
const FuzzedParser name_pattern_parser{"name_pattern", read_name_pattern, Refusals::invalid_argument,
                                       lists_of_hosts_bytes};
const FuzzedParser host_list_parser{"host_list", read_host_list, Refusals::invalid_argument,
                                    lists_of_hosts_bytes};
const FuzzedParser hosts_json_parser{"hosts_json", read_hosts_json};
const FuzzedParser job_hosts_parser{"job_hosts", read_job_hosts, Refusals::invalid_argument_or_runtime_error};

}  // namespace cubefold::fuzz
