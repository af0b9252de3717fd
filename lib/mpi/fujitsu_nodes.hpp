#pragma once

#include <mpi.h>

#include <optional>

#include "job_nodes.hpp"

namespace cubefold::mpi {

/// Collective: finds the nodes of the processes by FJMPI_Topology_get_shape and FJMPI_Topology_get_coords of Fujitsu's
/// MPI, which tell the logical shape of the job, one to three axes, and the coordinates of a process. They do not tell
/// whether axes are wrapped: without `named`, axes are taken as open. Returns nothing if some process has no
/// coordinates, as in jobs that share nodes, or if `named` has other extents than the job. Throws std::invalid_argument
/// on all processes for coordinates outside of the shape.
std::optional<JobPlaces> places_by_fujitsu(MPI_Comm comm, const Grid* named);

}  // namespace cubefold::mpi
