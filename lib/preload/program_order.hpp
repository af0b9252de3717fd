#pragma once

#include <mpi.h>

#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::preload {

/// Collective: returns virtual ranks that equal the ranks of `comm`, on the nodes of the processes. The nodes are those
/// of VirtualComm's constructor. A grid that CUBEFOLD_GRID names is that of MPI_COMM_WORLD. If it has a node for each
/// of its processes, the processes of other communicators are on the same nodes as in MPI_COMM_WORLD.
///
/// Throws std::invalid_argument on all processes if nothing is known of the network, if CUBEFOLD_GRID says nothing of
/// the processes, or if the ranks on a node are not consecutive. Throws as VirtualComm::on_nodes() besides.
mpi::VirtualComm in_program_order(MPI_Comm comm);

}  // namespace cubefold::preload
