#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

/// The network of a job, and the node of every process.
struct JobNodes {
  Grid network;
  std::vector<GridNode> node_of_process;  ///< empty if process n is node n
  bool is_known = true;                   ///< false if nothing is known of the network, which is a line then
  std::string source;                     ///< where the knowledge comes from
};

/// Collective: finds the network and the nodes of the processes by the rules of VirtualComm's constructor. If anything
/// is wrong on one process, or if the texts of processes differ, all processes throw std::invalid_argument. Takes O(p)
/// memory unless process n is node n.
JobNodes nodes_of_job(MPI_Comm comm, std::optional<std::string_view> grid);

/// Collective: gathers the nodes that the processes know. Throws std::invalid_argument on all processes if networks
/// differ, or if a node is not one of the network.
JobNodes nodes_given(MPI_Comm comm, const Grid& network, GridNode own_node);

}  // namespace cubefold::mpi
