#include "planner/discovery/environment.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cubefold/hosts/slurm.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* how_to_collect =
    "srun --ntasks-per-node=1 sh -c 'echo $(hostname) $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN' > "
    "addresses.txt"
    "; cubefold discover --input addresses.txt";

/// Returns what a command prints. Returns an empty text if it is not installed or fails.
std::string output_of(const char* command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command, "r"), pclose);
  std::string text;
  if (pipe == nullptr) return text;
  std::array<char, 4096> part{};
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(part.data(), 1, part.size(), pipe.get());
    text.append(part.data(), count);
  }
  return text;
}

/// Returns Slurm's topology in either form. Only `scontrol show topoconf` says where the hosts of a torus are; older
/// versions do not know it.
std::string topology_of_scontrol() {
  const std::string conf = output_of("timeout 20 scontrol show topoconf 2>/dev/null");
  return has_slurm_networks(conf) ? conf : output_of("timeout 20 scontrol show topology 2>/dev/null");
}

std::optional<SlurmAddress> own_address() {
  const auto variable = own_surroundings().variable;
  SlurmAddress address{variable("SLURMD_NODENAME"), variable("SLURM_TOPOLOGY_ADDR"),
                       variable("SLURM_TOPOLOGY_ADDR_PATTERN")};
  if (address.address.empty()) return std::nullopt;
  return address;
}

void require_agreement(const HostMap& map, const SlurmAddress& own, const std::string& topology) {
  const HostMap by_address = map_of_slurm_job({&own, 1}, topology);
  const GridNode node = by_address.hosts().front().node;
  const Host* host = map.find(own.host);
  if (host != nullptr && host->node == node && by_address.network() == map.network()) return;
  throw std::invalid_argument(fmt::format(
      "Slurm: host '{}' has the address '{}', but the order of the hosts in Slurm's topology puts it "
      "elsewhere; collect the addresses: {}",
      own.host, own.address, how_to_collect));
}

}  // namespace

HostMap map_of_environment(const std::vector<std::string>& wanted) {
  const auto own = own_address();
  const std::string topology = topology_of_scontrol();
  if (!topology.empty()) {
    const std::string network =
        own ? network_of(*own) : (wanted.empty() ? "" : network_of_host(topology, wanted.front()));
    HostMap map = map_of_slurm_topology(topology, network);
    if (own) require_agreement(map, *own, topology);
    return map;
  }
  if (own) {
    map_of_slurm_job({&*own, 1});
    throw std::invalid_argument(
        fmt::format("Slurm: scontrol shows no topology here, and only this host has its address in "
                    "SLURM_TOPOLOGY_ADDR; collect the others: {}",
                    how_to_collect));
  }
  throw std::invalid_argument(
      "nothing found: SLURM_TOPOLOGY_ADDR is not set, and scontrol shows no topology; name a file with "
      "--input, or hosts with --hosts and --pattern");
}

Job job_here() {
  if (auto job = job_of(own_surroundings())) return *std::move(job);
  throw std::invalid_argument(
      "there is no job: none of SLURM_JOB_NODELIST, PBS_NODEFILE, LSB_MCPU_HOSTS and PJM_O_NODEINF is set; "
      "name the "
      "hosts with --hostfile");
}

}  // namespace cubefold::planner
