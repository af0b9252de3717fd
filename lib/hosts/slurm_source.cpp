#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "cubefold/hosts/slurm.hpp"
#include "slurm_topology.hpp"
#include "source.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

bool has_one_of(std::string_view text, std::initializer_list<std::string_view> signs) {
  return std::ranges::any_of(
      signs, [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

bool is_of_slurm(std::string_view text) {
  return is_slurm_topology(text) ||
         has_one_of(text, {" torus:", " ring:position.node", "switch.node", "block.node"});
}

/// Reads lines `HOST ADDRESS PATTERN`, as `n6 pod1:2:1:0.n6 torus:x:y:z.node`.
void add_addresses(const SourceText& text, std::vector<SlurmAddress>& addresses) {
  for_each_line(text.text, [&](std::size_t number, std::string_view line) {
    const auto words = words_of_line(line);
    if (words.empty()) return;
    if (words.size() != 3) {
      throw std::invalid_argument(
          fmt::format("{}: line {}: it has {} words, not a host, its SLURM_TOPOLOGY_ADDR and the pattern",
                      text.name, number, words.size()));
    }
    addresses.push_back({std::string(words[0]), std::string(words[1]), std::string(words[2])});
  });
}

HostMap map_of_texts(const SourceInput& input) {
  std::string topology;
  std::vector<SlurmAddress> addresses;
  for (const SourceText& text : input.texts) {
    if (is_slurm_topology(text.text)) {
      topology += text.text;
      topology += '\n';
    } else {
      add_addresses(text, addresses);
    }
  }
  if (!addresses.empty()) return map_of_slurm_job(addresses, topology);
  return map_of_slurm_topology(topology,
                               input.hosts.empty() ? "" : network_of_host(topology, input.hosts.front()));
}

HostMap map_of_slurm(const SourceInput& input) {
  HostMap map = map_of_texts(input);
  if (!input.grid || *input.grid == map.network()) return map;
  throw std::invalid_argument(fmt::format("--grid is {}, but the network is {} ({})", to_string(*input.grid),
                                          to_string(map.network()), map.source()));
}

}  // namespace

const HostSource slurm_source{"slurm",
                              "scontrol show topology or topoconf, topology.yaml; lines HOST ADDRESS PATTERN",
                              is_of_slurm, map_of_slurm};

}  // namespace cubefold
