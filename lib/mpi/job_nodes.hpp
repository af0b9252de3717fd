#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

/// The network of a job, and the node of every process. Every node has a process. Hosts that share a node of the whole
/// network are nodes of their own behind a switch, as with_hosts() makes them, if the network has few enough nodes.
struct JobNodes {
  Grid network;
  std::vector<GridNode> node_of_process;  ///< empty if process n is node n
  bool is_known = true;  ///< false if no links are known; the network is a line of all nodes then
  std::string source;    ///< where the knowledge comes from
  std::string remark{};  ///< what was left out when it was found, as a line, or empty
};

/// What is known of the place of every process of a job, from which the nodes of any of its processes follow.
struct JobPlaces {
  JobNodes job;                                  ///< on the whole network, of which nodes may have no process
  std::vector<std::uint32_t> host_of_process{};  ///< empty if no node can have several hosts
  bool leaves_nodes_out = false;                 ///< the network is one of a site, of which a job gets a part
};

/// Collective: finds the network and the places of the processes as nodes_of_job().
CUBEFOLD_API JobPlaces places_of_job(MPI_Comm comm, std::optional<std::string_view> grid,
                                     std::optional<std::string> site_file = std::nullopt);

/// Collective: gathers the nodes that the processes know, as nodes_given().
JobPlaces places_given(MPI_Comm comm, const Grid& network, GridNode own_node);

/// Returns the network and the nodes of some processes of the job, in this order. Does not communicate. Costs O(number
/// of processes and of nodes).
CUBEFOLD_API JobNodes nodes_of_processes(const JobPlaces& places, std::span<const int> processes);

/// Collective: finds the network and the nodes of the processes by the rules of VirtualComm's constructor. If anything
/// is wrong on one process, or if the texts of processes differ, all processes throw std::invalid_argument. Takes O(p)
/// memory unless process n is node n. `site_file` is the host map that serves all jobs of a site, by default
/// site_hosts_file().
CUBEFOLD_API JobNodes nodes_of_job(MPI_Comm comm, std::optional<std::string_view> grid,
                                   std::optional<std::string> site_file = std::nullopt);

/// Returns the placement that numbers nodes in the order of their lowest processes, so that virtual ranks are the ranks
/// of the processes. Throws std::invalid_argument if a node has processes that are not consecutive.
CUBEFOLD_API std::string placement_in_order_of(std::span<const GridNode> node_of_process);

/// Collective: gathers the nodes that the processes know. The network leaves out those without processes, and has the
/// hosts that share one as nodes. Throws std::invalid_argument on all processes if networks differ, or if a node is not
/// one of the network.
CUBEFOLD_API JobNodes nodes_given(MPI_Comm comm, const Grid& network, GridNode own_node);

/// Collective: finds the nodes of the processes by FJMPI_Topology_get_coords of Fujitsu's MPI: on the six axes of the
/// network, by coordinates relative to the job (FJMPI_TOFU_REL), or else on the one to three logical axes of
/// FJMPI_Topology_get_shape, whose ends are not told: without `named`, they are taken as open. Returns nothing if some
/// process has no coordinates, as in jobs that share nodes, or if `named` has other extents than both. Throws
/// std::invalid_argument on all processes for coordinates outside of the shape.
std::optional<JobPlaces> places_by_fujitsu(MPI_Comm comm, const Grid* named);

}  // namespace cubefold::mpi
