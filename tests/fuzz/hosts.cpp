#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fuzz/host_sources.hpp"
#include "fuzz/text_in_file.hpp"
#include "hosts/host_list.hpp"
#include "planner/launchers/allocation.hpp"

namespace cubefold::fuzz {

namespace {

constexpr std::size_t most_hosts = 64;

/// Returns whether the words of a text with brackets, each taken for a list of hosts, have more than most_hosts hosts.
bool lists_many_hosts(std::string_view text) {
  std::istringstream words{std::string(text)};
  const std::string refusal = fmt::format("more than {} hosts", most_hosts);
  std::size_t hosts = 0;
  for (std::string word; hosts <= most_hosts && words >> word;) {
    if (word.find('[') == std::string::npos) continue;
    std::ranges::replace(word, '\0', '0');  // which would end the text of the exception
    try {
      hosts += expand_host_list(word, most_hosts).size();
    } catch (const std::invalid_argument& error) {
      if (std::string_view(error.what()).find(refusal) != std::string_view::npos) return true;
    }
  }
  return hosts > most_hosts;
}

}  // namespace

void read_by_source(const HostSource& source, const SourceInput& input) {
  if (std::ranges::any_of(input.texts, [](const SourceText& text) { return lists_many_hosts(text.text); }))
    return;
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

/// A smaller limit than most_listed_hosts lets more inputs through in a second.
void read_host_list(std::string_view text) {
  constexpr std::size_t most = 512;
  require(expand_host_list(text, most).size() <= most, "there are more hosts than allowed");
}

void read_hosts_json(std::string_view text) {
  if (!names_costly_network(text)) read_by_source(json_source, {{{"text", std::string(text)}}, {}, {}});
}

void read_job_hosts(std::string_view text) {
  if (names_costly_network(text)) return;
  const TextInFile file(text);
  const planner::JobHosts hosts = planner::read_hosts(file.path(), parse_grid("torus:4x2"));
  require(hosts.hosts.size() == hosts.grid.node_count(), "there is not one host for each node");
}

}  // namespace

const FuzzedParser coordinates_parser{"coordinates", read_coordinates};
const FuzzedParser name_pattern_parser{"name_pattern", read_name_pattern};
const FuzzedParser host_list_parser{"host_list", read_host_list};
const FuzzedParser hosts_json_parser{"hosts_json", read_hosts_json};
const FuzzedParser job_hosts_parser{"job_hosts", read_job_hosts, Refusals::invalid_argument_or_runtime_error};

}  // namespace cubefold::fuzz
