#include "job_nodes.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "cubefold/hosts/host_map.hpp"
#include "cubefold/hosts/slurm.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "machine_file.hpp"

namespace cubefold::mpi {

namespace {

constexpr std::string_view automatic = "auto";
constexpr const char* hosts_variable = "CUBEFOLD_HOSTS";

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value == nullptr ? "" : value;
}

/// Returns the text of a grid that the caller or the environment names, or `auto`.
std::string named_grid(std::optional<std::string_view> grid) {
  if (grid && *grid != automatic) return std::string(*grid);
  const std::string text = environment("CUBEFOLD_GRID");
  return text.empty() ? std::string(automatic) : text;
}

/// Returns the name of the grid and, with a route table, a number that depends on extents, links and routes: processes
/// may have read different files of one name.
std::string identity_of(const Grid& grid) {
  const RouteTable* table = grid.route_table();
  if (table == nullptr) return to_string(grid);
  std::uint64_t digest = 0;
  const auto add = [&](std::uint64_t value) {
    digest = (digest ^ value) * 0x9e3779b97f4a7c15U + (digest >> 29);
  };
  for (const Axis& axis : grid.axes()) add(axis.extent);
  for (const TableLink& link : table->links()) {
    add(link.from);
    add(link.to);
    add(std::bit_cast<std::uint64_t>(link.rate));
  }
  for (std::size_t here = 0; here < table->node_count(); ++here) {
    for (std::size_t to = 0; to < table->node_count(); ++to)
      if (here != to) add(table->next_link(here, to));
  }
  return fmt::format("{} (links and routes {:016x})", to_string(grid), digest);
}

std::size_t size_of_comm(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return static_cast<std::size_t>(size);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

/// Collective: returns a communicator of the processes on this host.
OwnedComm comm_on_host(MPI_Comm comm) {
  MPI_Comm mates = MPI_COMM_NULL;
  check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_in(comm), MPI_INFO_NULL, &mates),
        "MPI_Comm_split_type");
  return OwnedComm::adopt(mates);
}

bool is_first_on_host(MPI_Comm comm) {
  return rank_in(comm_on_host(comm).get()) == 0;
}

/// The hosts of the processes, numbered in the order of their lowest processes.
struct OwnHost {
  std::uint32_t number;
  std::size_t count;  ///< of all hosts
};

/// Collective: finds the number of this process's host.
OwnHost own_host(MPI_Comm comm) {
  const OwnedComm on_this_host = comm_on_host(comm);
  int firsts = rank_in(on_this_host.get()) == 0 ? 1 : 0;
  int number = 0;
  int count = 0;
  check(MPI_Exscan(&firsts, &number, 1, MPI_INT, MPI_SUM, comm), "MPI_Exscan");
  if (rank_in(comm) == 0) number = 0;
  check(MPI_Bcast(&number, 1, MPI_INT, 0, on_this_host.get()), "MPI_Bcast");
  check(MPI_Allreduce(&firsts, &count, 1, MPI_INT, MPI_SUM, comm), "MPI_Allreduce");
  return {static_cast<std::uint32_t>(number), static_cast<std::size_t>(count)};
}

/// Collective: returns the nodes of all processes.
std::vector<GridNode> gather_nodes(MPI_Comm comm, std::uint32_t own) {
  std::vector<std::uint32_t> all;
  std::vector<GridNode> nodes;
  collective_try(comm, [&] {
    all.resize(size_of_comm(comm));
    nodes.reserve(all.size());
  });
  check(MPI_Allgather(&own, 1, MPI_UINT32_T, all.data(), 1, MPI_UINT32_T, comm), "MPI_Allgather");
  for (const std::uint32_t node : all) nodes.push_back(static_cast<GridNode>(node));
  return nodes;
}

/// Collective: finds the nodes of the processes on a grid that the caller or the environment names.
JobNodes nodes_on(MPI_Comm comm, const std::string& grid_text) {
  std::optional<JobNodes> made;
  std::string identity;
  collective_try(comm, [&] {
    made.emplace(JobNodes{parse_grid(grid_text), {}, true, "the grid that was named"});
    identity = identity_of(made->network);
  });
  require_equal_everywhere(comm, "grid", identity);
  JobNodes job = *std::move(made);
  const std::size_t process_count = size_of_comm(comm);
  const std::size_t node_count = job.network.node_count();
  if (process_count == node_count) return job;
  const OwnHost host = own_host(comm);
  const bool shares_evenly = process_count % node_count == 0;
  collective_try(comm, [&] {
    if (host.count == node_count || (host.count == 1 && shares_evenly)) return;
    const std::string hosts = host.count > 1 ? fmt::format(" on {} hosts", host.count) : "";
    throw std::invalid_argument(fmt::format("grid '{}' has {} nodes, but there are {} processes{}", grid_text,
                                            node_count, process_count, hosts));
  });
  const auto per_node = static_cast<std::uint32_t>(process_count / node_count);
  const auto own_rank = static_cast<std::uint32_t>(rank_in(comm));
  job.node_of_process = gather_nodes(comm, host.count == 1 ? own_rank / per_node : host.number);
  return job;
}

std::string own_host_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

std::string place_of(const HostMap& map, const Host& host) {
  return fmt::format("host '{}' on node {} of {} ({})", host.name, static_cast<std::uint32_t>(host.node),
                     to_string(map.network()), map.source());
}

/// Throws if the host of this process has fewer slots than processes.
void require_slots(const HostMap& map, const Host& host, std::size_t process_count) {
  if (host.slots == 0 || process_count <= host.slots) return;
  throw std::invalid_argument(fmt::format("{} has {} slots, but the job has {} processes there",
                                          place_of(map, host), host.slots, process_count));
}

/// Replaces the nodes of a network by those of the part that the job uses.
void restrict_to_part(JobNodes& job) {
  const std::set<GridNode> used(job.node_of_process.begin(), job.node_of_process.end());
  const std::vector<GridNode> nodes(used.begin(), used.end());
  NetworkPart part = part_of(job.network, nodes);
  std::map<GridNode, GridNode> node_in_part;
  for (std::size_t i = 0; i < nodes.size(); ++i) node_in_part[nodes[i]] = part.nodes[i];
  for (GridNode& node : job.node_of_process) node = node_in_part.at(node);
  job.network = std::move(part.grid);
}

/// Collective: finds the nodes of the processes in a host map, whose text is the same on all processes.
JobNodes nodes_in(MPI_Comm comm, const std::string& json, std::string_view origin) {
  const std::size_t process_count = size_of_comm(comm_on_host(comm).get());
  std::optional<JobNodes> job;
  std::uint32_t own = 0;
  collective_try(comm, [&] {
    const HostMap map = parse_host_map(json);
    const std::string name = own_host_name();
    const Host* host = map.find(name);
    if (host == nullptr) {
      throw std::invalid_argument(
          fmt::format("host '{}' of the job is not in {} ({})", name, origin, map.source()));
    }
    require_slots(map, *host, process_count);
    own = static_cast<std::uint32_t>(host->node);
    job.emplace(JobNodes{map.network(), {}, true, fmt::format("{} ({})", origin, map.source())});
  });
  job->node_of_process = gather_nodes(comm, own);
  collective_try(comm, [&] { restrict_to_part(*job); });
  return *std::move(job);
}

/// Collective: returns the text of a host map that only process 0 can read.
std::string host_map_text(MPI_Comm comm, const std::string& file) {
  return text_of_root(comm, [&] { return to_json(read_host_map(file)); });
}

JobNodes unknown_network(MPI_Comm comm, std::string_view reason) {
  std::optional<JobNodes> job;
  collective_try(comm, [&] {
    const auto extent = static_cast<std::uint32_t>(size_of_comm(comm));
    job.emplace(JobNodes{Grid({extent}, Ends::open), {}, false, std::string(reason)});
  });
  return *std::move(job);
}

/// Returns the name of this host and Slurm's variables, a line each, or an empty text if Slurm sets none.
std::string slurm_lines() {
  const std::string address = environment("SLURM_TOPOLOGY_ADDR");
  if (address.empty()) return "";
  return fmt::format("{}\n{}\n{}\n", own_host_name(), address, environment("SLURM_TOPOLOGY_ADDR_PATTERN"));
}

/// Collective: gathers the texts of all processes of which `text` is not empty, one after the other, on process 0.
std::string gather_texts(MPI_Comm comm, const std::string& text) {
  const int length = message_bytes(1, text.size());
  std::vector<int> lengths;
  std::vector<int> begins;
  std::string all;
  root_try(comm, [&] {
    lengths.resize(size_of_comm(comm));
    begins.resize(lengths.size());
  });
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "MPI_Gather");
  root_try(comm, [&] {
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    all.resize(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), 0)));
  });
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0,
                    comm),
        "MPI_Gatherv");
  return all;
}

/// Returns the addresses of all hosts from the lines of slurm_lines().
std::vector<SlurmAddress> addresses_in(const std::string& lines) {
  std::vector<SlurmAddress> addresses;
  std::istringstream text(lines);
  SlurmAddress next;
  while (std::getline(text, next.host) && std::getline(text, next.address) &&
         std::getline(text, next.pattern))
    addresses.push_back(next);
  return addresses;
}

/// Collective: finds the nodes of the processes by Slurm's addresses, which all of them have.
JobNodes nodes_by_slurm(MPI_Comm comm) {
  std::string own;
  const bool is_first = is_first_on_host(comm);
  collective_try(comm, [&] {
    if (is_first) own = slurm_lines();
  });
  const std::string lines = gather_texts(comm, own);
  std::string reason;
  std::string map = text_of_root(comm, [&] {
    try {
      return to_json(map_of_slurm_job(addresses_in(lines)));
    } catch (const std::invalid_argument& refused) {
      reason = refused.what();
      return std::string();
    }
  });
  share_text_of_root(comm, reason);
  return map.empty() ? unknown_network(comm, reason) : nodes_in(comm, map, "SLURM_TOPOLOGY_ADDR");
}

/// Collective: returns whether Slurm tells every process its address.
bool has_slurm_addresses(MPI_Comm comm) {
  int has = environment("SLURM_TOPOLOGY_ADDR").empty() ? 0 : 1;
  check(MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return has != 0;
}

}  // namespace

JobNodes nodes_given(MPI_Comm comm, const Grid& network, GridNode own_node) {
  const auto own = static_cast<std::uint32_t>(own_node);
  std::string identity;
  std::optional<JobNodes> job;
  collective_try(comm, [&] {
    if (own >= network.node_count())
      throw std::invalid_argument(fmt::format("{} has no node {}", to_string(network), own));
    identity = identity_of(network);
    job.emplace(JobNodes{network, {}, true, "the caller"});
  });
  require_equal_everywhere(comm, "grid", identity);
  job->node_of_process = gather_nodes(comm, own);
  return *std::move(job);
}

JobNodes nodes_of_job(MPI_Comm comm, std::optional<std::string_view> grid) {
  std::string text;
  collective_try(comm, [&] { text = named_grid(grid); });
  int is_automatic = text == automatic ? 1 : 0;
  std::array<int, 2> least{is_automatic, -is_automatic};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  // If some processes name a grid and others do not, the comparison below finds it.
  if (least[1] == 0) return nodes_on(comm, text);
  if (least[0] == 0) require_equal_everywhere(comm, "grid", text);
  const std::string file = variable_of_root(hosts_variable, comm);
  if (!file.empty()) {
    std::string origin;
    collective_try(comm, [&] { origin = fmt::format("the file '{}'", file); });
    return nodes_in(comm, host_map_text(comm, file), origin);
  }
  if (has_slurm_addresses(comm)) return nodes_by_slurm(comm);
  return unknown_network(comm, "nothing is known of the network");
}

}  // namespace cubefold::mpi
