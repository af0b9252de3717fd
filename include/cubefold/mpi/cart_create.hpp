#pragma once

#include <span>

#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::mpi {

/// Collective: returns a Cartesian communicator of all processes, as MPI_Cart_create with `reorder` makes it: the last
/// axis is the fastest, and an axis whose `periodic` is not 0 is a ring. The ranks are placed so that the busiest link
/// of a halo exchange carries the least that is found, on the shortest routes that are found for that. Processes of one
/// node get consecutive ranks or a brick of the grid. The ranks are the virtual ranks if these are as good, if nothing
/// is known of the network, or if nodes have different numbers of processes.
///
/// Throws std::invalid_argument on all processes if the grid does not have exactly as many places as there are
/// processes, and if processes pass different grids. The search for a placement takes some tenths of a second at most.
CUBEFOLD_API OwnedComm cart_create(const VirtualComm& comm, std::span<const int> extents,
                                   std::span<const int> periodic);

}  // namespace cubefold::mpi
