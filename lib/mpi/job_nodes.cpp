#include "job_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "cubefold/hosts/host_map.hpp"
#include "cubefold/hosts/slurm.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "hosts/site_file.hpp"
#include "hosts/source.hpp"
#include "processes.hpp"
#include "settings.hpp"
#include "slurm_addresses.hpp"
#ifdef CUBEFOLD_FUJITSU
#include "job_nodes.hpp"
#endif

namespace cubefold::mpi {

namespace {

constexpr std::string_view automatic = "auto";
constexpr const char* hosts_variable = "CUBEFOLD_HOSTS";

/// Returns the text of a grid that the caller or the environment names, or `auto`.
std::string named_grid(std::optional<std::string_view> grid) {
  if (grid && *grid != automatic) return std::string(*grid);
  const std::string text = own_variable("CUBEFOLD_GRID");
  return text.empty() ? std::string(automatic) : text;
}

/// Returns the name of the grid and, with a route table, a digest of its links and routes and its extents: processes
/// may have read different files of one name.
std::string identity_of(const Grid& grid) {
  const RouteTable* table = grid.route_table();
  if (table == nullptr) return to_string(grid);
  std::vector<std::uint32_t> extents;
  for (const Axis& axis : grid.axes()) extents.push_back(axis.extent);
  return fmt::format("{} (links and routes {:016x}, extents {})", to_string(grid), table->digest(),
                     fmt::join(extents, "x"));
}

/// Collective: returns the numbers of all processes.
std::vector<std::uint32_t> gather(MPI_Comm comm, std::uint32_t own) {
  auto all = agree_on_outcome(comm, [&] { return std::vector<std::uint32_t>(process_count(comm)); });
  check(MPI_Allgather(&own, 1, MPI_UINT32_T, all.data(), 1, MPI_UINT32_T, comm), "MPI_Allgather");
  return all;
}

/// Collective: returns the nodes of all processes.
std::vector<GridNode> gather_nodes(MPI_Comm comm, std::uint32_t own) {
  std::vector<GridNode> nodes;
  agree_on_outcome(comm, [&] { nodes.reserve(process_count(comm)); });
  for (const std::uint32_t node : gather(comm, own)) nodes.push_back(static_cast<GridNode>(node));
  return nodes;
}

/// Collective: finds the nodes of the processes on a grid that the caller or the environment names.
JobPlaces places_on(MPI_Comm comm, const std::string& grid_text) {
  auto [job, identity] = agree_on_outcome(comm, [&] {
    const Grid grid = parse_grid(grid_text);
    return std::pair(JobNodes{grid, {}, true, "the grid that was named"}, identity_of(grid));
  });
  require_equal_everywhere(comm, "grid", identity);
#ifdef CUBEFOLD_FUJITSU
  if (auto placed = places_by_fujitsu(comm, &job.network)) return *std::move(placed);
#endif
  const std::size_t processes = process_count(comm);
  const std::size_t node_count = job.network.node_count();
  if (processes == node_count) return {std::move(job)};
  const OwnHost host = own_host(comm);
  const bool shares_evenly = processes % node_count == 0;
  agree_on_outcome(comm, [&] {
    if (host.count == node_count || (host.count == 1 && shares_evenly)) return;
    const std::string hosts = host.count > 1 ? fmt::format(" on {} hosts", host.count) : "";
    const std::string there = processes == 1 ? "is 1 process" : fmt::format("are {} processes", processes);
    throw std::invalid_argument(
        fmt::format("grid '{}' has {} nodes, but there {}{}", grid_text, node_count, there, hosts));
  });
  const auto per_node = static_cast<std::uint32_t>(processes / node_count);
  const auto own_rank = static_cast<std::uint32_t>(rank_in(comm));
  job.node_of_process = gather_nodes(comm, host.count == 1 ? own_rank / per_node : host.number);
  return {std::move(job)};
}

/// Collective: returns the numbers of the hosts of all processes, or nothing if there is one host.
std::vector<std::uint32_t> hosts_of_all(MPI_Comm comm, const OwnHost& host) {
  return host.count > 1 ? gather(comm, host.number) : std::vector<std::uint32_t>();
}

std::string place_of(const HostMap& map, const Host& host) {
  return fmt::format("host '{}' on node {} of {} ({})", host.name, static_cast<std::uint32_t>(host.node),
                     to_string(map.network()), map.source());
}

/// Throws if the host of this process has fewer slots than processes.
void require_slots(const HostMap& map, const Host& host, std::size_t processes) {
  if (host.slots == 0 || processes <= host.slots) return;
  throw std::invalid_argument(fmt::format("{} has {} slots, but the job has {} processes there",
                                          place_of(map, host), host.slots, processes));
}

/// Returns the nodes that have processes, in ascending order.
std::vector<GridNode> used_nodes(const JobNodes& job) {
  const std::set<GridNode> used(job.node_of_process.begin(), job.node_of_process.end());
  return {used.begin(), used.end()};
}

/// Replaces the numbers of nodes: node old[i] becomes renumbered[i].
void renumber(JobNodes& job, const std::vector<GridNode>& old, const std::vector<GridNode>& renumbered) {
  std::map<GridNode, GridNode> number;
  for (std::size_t i = 0; i < old.size(); ++i) number[old[i]] = renumbered[i];
  for (GridNode& node : job.node_of_process) node = number.at(node);
}

/// Replaces the network by the part of it that the job uses.
void restrict_to_part(JobNodes& job) {
  const auto used = used_nodes(job);
  NetworkPart part = part_of(job.network, used);
  renumber(job, used, part.nodes);
  job.network = std::move(part.grid);
}

/// A host of the job: its node and a number.
using HostOnNode = std::pair<GridNode, std::uint32_t>;

/// Returns the host of every process. Where networks of hosts would be too large, all hosts on a node count as one.
std::vector<HostOnNode> hosts_of(const JobNodes& job, const std::vector<std::uint32_t>& host_of_process) {
  std::vector<HostOnNode> hosts;
  for (std::size_t process = 0; process < job.node_of_process.size(); ++process)
    hosts.emplace_back(job.node_of_process[process], host_of_process.empty() ? 0 : host_of_process[process]);
  const RouteTable* table = job.network.route_table();
  const std::size_t switches = table == nullptr ? job.network.node_count() : table->vertex_count();
  if (std::set(hosts.begin(), hosts.end()).size() + switches <= RouteTable::most_nodes) return hosts;
  for (HostOnNode& host : hosts) host.second = 0;
  return hosts;
}

/// Makes the hosts of the job the nodes of its network: nodes without a host, or with several, become switches. If the
/// network is too large to leave nodes out, its links count as unknown.
void take_hosts_as_nodes(JobNodes& job, const std::vector<std::uint32_t>& host_of_process) {
  const auto host_of = hosts_of(job, host_of_process);
  std::map<HostOnNode, GridNode> number_of;
  for (const HostOnNode& host : host_of) number_of.emplace(host, GridNode{});
  const std::size_t node_count = job.network.node_count();
  std::vector<std::uint32_t> host_count(node_count);
  std::uint32_t next = 0;
  for (auto& [host, number] : number_of) {
    number = GridNode{next++};
    ++host_count[static_cast<std::size_t>(host.first)];
  }
  for (std::size_t process = 0; process < host_of.size(); ++process)
    job.node_of_process[process] = number_of.at(host_of[process]);
  if (next == node_count || node_count <= RouteTable::most_nodes) {
    job.network = network_of_hosts(job.network, host_count);
    return;
  }
  job.is_known = false;
  job.source = fmt::format("{} has nodes without processes, and more than {} nodes", to_string(job.network),
                           RouteTable::most_nodes);
  job.network = Grid({next}, Ends::open);
}

/// Returns the numbers of hosts in the order of their lowest processes.
std::vector<std::uint32_t> in_order_of_processes(std::vector<std::uint32_t> host_of_process) {
  std::map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t& host : host_of_process)
    host = number.try_emplace(host, static_cast<std::uint32_t>(number.size())).first->second;
  return host_of_process;
}

/// Collective: returns the nodes of all processes. Takes no memory for them if process n is node n.
JobNodes nodes_of_all(MPI_Comm comm, JobPlaces places) {
  return agree_on_outcome(comm, [&] {
    if (places.job.node_of_process.empty()) return std::move(places.job);
    std::vector<int> all(places.job.node_of_process.size());
    std::iota(all.begin(), all.end(), 0);
    return nodes_of_processes(places, all);
  });
}

/// Collective: finds the nodes of the processes in a host map, whose text is the same on all processes.
JobPlaces places_in(MPI_Comm comm, const std::string& json, std::string_view origin) {
  const OwnHost own_place = own_host(comm);
  std::uint32_t own = 0;
  JobNodes job = agree_on_outcome(comm, [&] {
    const HostMap map = parse_host_map(json);
    const std::string name = host_name();
    const Host* host = map.find(name);
    if (host == nullptr) {
      throw std::invalid_argument(fmt::format("host '{}' of the job is not in {} ({}); there is '{}'", name,
                                              origin, map.source(), most_similar_host(map, name)));
    }
    require_slots(map, *host, own_place.process_count);
    own = static_cast<std::uint32_t>(host->node);
    return JobNodes{map.network(), {}, true, fmt::format("{} ({})", origin, map.source())};
  });
  job.node_of_process = gather_nodes(comm, own);
  return {std::move(job), hosts_of_all(comm, own_place), true};
}

/// Collective: returns the text of a host map that only process 0 can read.
std::string host_map_text(MPI_Comm comm, const std::string& file) {
  return text_of_root(comm, [&] { return to_json(read_host_map(file)); });
}

JobNodes unknown_network(std::size_t processes, std::string_view reason) {
  return {Grid({static_cast<std::uint32_t>(processes)}, Ends::open), {}, false, std::string(reason)};
}

JobPlaces unknown_places(MPI_Comm comm, std::string_view reason) {
  return agree_on_outcome(comm, [&] { return JobPlaces{unknown_network(process_count(comm), reason)}; });
}

/// Collective: finds the nodes of the processes by Slurm's addresses.
JobPlaces places_by_slurm(MPI_Comm comm) {
  const std::vector<SlurmAddress> addresses = gather_slurm_addresses(comm);
  std::string reason;
  std::string map = text_of_root(comm, [&] {
    try {
      return to_json(map_of_slurm_job(addresses, slurm_topology()));
    } catch (const std::invalid_argument& refused) {
      reason = refused.what();
      return std::string();
    }
  });
  share_text_of_root(comm, reason);
  return map.empty() ? unknown_places(comm, reason) : places_in(comm, map, "SLURM_TOPOLOGY_ADDR");
}

/// Holds the site's map of hosts, or the reason why it does not serve.
struct SiteMap {
  std::string json;     ///< empty if it does not serve
  std::string problem;  ///< empty if there is no such file
  std::string remark;   ///< what was left out when it was compared, or empty
};

/// Collective: reads the site's map on process 0 and asks every process whether its host is in it.
SiteMap site_map(MPI_Comm comm, const std::string& file) {
  SiteMap map;
  map.json = text_of_root(comm, [&] {
    try {
      return std::filesystem::exists(file) ? to_json(read_host_map(file)) : std::string();
    } catch (const std::exception& error) {
      map.problem = error.what();
      return std::string();
    }
  });
  share_text_of_root(comm, map.problem);
  if (map.json.empty()) return map;
  int has_host = 0;
  agree_on_outcome(comm, [&] {
    has_host = parse_host_map(map.json).find(host_name()) == nullptr ? 0 : 1;
    map.problem = fmt::format("the file '{}' does not have all hosts of the job", file);
  });
  check(MPI_Allreduce(MPI_IN_PLACE, &has_host, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  SlurmComparison slurm = has_host == 0 ? SlurmComparison() : compare_with_slurm(comm, map.json);
  if (has_host == 0 || !slurm.contradiction.empty()) map.json.clear();
  map.remark = std::move(slurm.remark);
  return map;
}

JobPlaces places_by_file(MPI_Comm comm, std::string_view file, const std::string& json, std::string remark) {
  const auto origin = agree_on_outcome(comm, [&] { return fmt::format("the file '{}'", file); });
  JobPlaces places = places_in(comm, json, origin);
  places.job.remark = std::move(remark);
  return places;
}

/// Collective: finds the nodes of the processes in a file that the environment names.
JobPlaces places_by_named_file(MPI_Comm comm, const std::string& file) {
  const std::string json = host_map_text(comm, file);
  SlurmComparison slurm = compare_with_slurm(comm, json);
  agree_on_outcome(comm, [&] {
    if (slurm.contradiction.empty()) return;
    throw std::invalid_argument(
        fmt::format("the file '{}' contradicts Slurm: {}; write it anew with cubefold discover", file,
                    slurm.contradiction));
  });
  return places_by_file(comm, file, json, std::move(slurm.remark));
}

}  // namespace

JobPlaces places_given(MPI_Comm comm, const Grid& network, GridNode own_node) {
  const auto own = static_cast<std::uint32_t>(own_node);
  auto [job, identity] = agree_on_outcome(comm, [&] {
    if (own >= network.node_count())
      throw std::invalid_argument(fmt::format("{} has no node {}", to_string(network), own));
    return std::pair(JobNodes{network, {}, true, "the caller"}, identity_of(network));
  });
  require_equal_everywhere(comm, "grid", identity);
  job.node_of_process = gather_nodes(comm, own);
  return {std::move(job), hosts_of_all(comm, own_host(comm))};
}

JobPlaces places_of_job(MPI_Comm comm, std::optional<std::string_view> grid,
                        std::optional<std::string> site_file) {
  const std::string text = agree_on_outcome(comm, [&] {
    if (!site_file) site_file = site_hosts_file();
    return named_grid(grid);
  });
  int is_automatic = text == automatic ? 1 : 0;
  std::array<int, 2> least{is_automatic, -is_automatic};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  // If some processes name a grid and others do not, the comparison below finds it.
  if (least[1] == 0) return places_on(comm, text);
  if (least[0] == 0) require_equal_everywhere(comm, "grid", text);
  const std::string file = variable_of_root(hosts_variable, comm);
  if (!file.empty()) return places_by_named_file(comm, file);
  SiteMap site = site_map(comm, *site_file);
  if (!site.json.empty()) return places_by_file(comm, *site_file, site.json, std::move(site.remark));
  if (has_slurm_addresses(comm)) return places_by_slurm(comm);
#ifdef CUBEFOLD_FUJITSU
  if (auto placed = places_by_fujitsu(comm, nullptr)) return *std::move(placed);
#endif
  const std::string_view problem = site.problem;
  return unknown_places(comm, problem.empty() ? "nothing is known of the network" : problem);
}

JobNodes nodes_of_processes(const JobPlaces& places, std::span<const int> processes) {
  JobNodes job = places.job;
  if (!job.is_known) return unknown_network(processes.size(), job.source);
  const std::vector<GridNode>& nodes = places.job.node_of_process;
  std::vector<std::uint32_t> hosts;
  job.node_of_process.clear();
  for (const int process : processes) {
    const auto number = static_cast<std::size_t>(process);
    job.node_of_process.push_back(nodes.empty() ? static_cast<GridNode>(number) : nodes[number]);
    if (!places.host_of_process.empty()) hosts.push_back(places.host_of_process[number]);
  }
  if (places.leaves_nodes_out) restrict_to_part(job);
  take_hosts_as_nodes(job, in_order_of_processes(std::move(hosts)));
  return job;
}

JobNodes nodes_given(MPI_Comm comm, const Grid& network, GridNode own_node) {
  return nodes_of_all(comm, places_given(comm, network, own_node));
}

JobNodes nodes_of_job(MPI_Comm comm, std::optional<std::string_view> grid,
                      std::optional<std::string> site_file) {
  return nodes_of_all(comm, places_of_job(comm, grid, std::move(site_file)));
}

std::string placement_in_order_of(std::span<const GridNode> node_of_process) {
  std::vector<GridNode> order;
  std::set<GridNode> seen;
  for (const GridNode node : node_of_process) {
    if (!order.empty() && order.back() == node) continue;
    if (!seen.insert(node).second) throw std::invalid_argument("the ranks on a node are not consecutive");
    order.push_back(node);
  }
  if (std::ranges::is_sorted(order)) return "identity";
  std::string text = "nodes=";
  for (const GridNode node : order) text += fmt::format("{}-", static_cast<std::uint32_t>(node));
  text.pop_back();
  return text;
}

}  // namespace cubefold::mpi
