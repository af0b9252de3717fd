#pragma once

#include <string_view>

#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::mpi {

/// Collective: returns the communicator of the processes that use the same resource of the network as this one:
/// - `axis/K`: a line of nodes along axis K, as a row of a torus,
/// - `plane/K-L`: a plane of nodes along axes K < L,
/// - `node`: one node,
/// - `slot`: the processes that have the same slot on their nodes, one on each node.
///
/// Ranks are in the order of nodes, axis 0 fastest, and then of slots: in a line of nodes with one process each, the
/// rank is the coordinate. If the job has a part of a network, axes are those of the whole one, and hosts that share a
/// node there are on that node. Throws std::invalid_argument on all processes for another name, for names that
/// differ, and if nothing is known of the network.
CUBEFOLD_API OwnedComm comm_split(const VirtualComm& comm, std::string_view resource);

}  // namespace cubefold::mpi
