#pragma once

#include <mpi.h>

#include <string>

namespace cubefold::preload {

/// Programs name the resources of the network by this and a name of resource_names(), as `cubefold://axis/0`.
inline constexpr const char* resource_scheme = "cubefold://";

/// Sets a key for each resource of the network in the info object of MPI_Get_hw_resource_info, with the value `true`,
/// because every process uses one resource of each kind. Sets none if nothing is known of the network.
void add_resources(MPI_Info info);

/// Collective: makes the communicator of the processes that use the same resource of the network, in the order of their
/// keys. `resource` is the name without resource_scheme, or empty for a process that is in no communicator. *made is
/// MPI_COMM_NULL on all processes if the network has no such resource, and one process says so in a line on standard
/// error. Returns false, and has not made a communicator, if no process names a resource. Requires is_on_network().
bool split_by_resource(MPI_Comm comm, const std::string& resource, int key, MPI_Comm* made);

/// Returns whether the places of all processes of a communicator in the network are known. All of them get the same
/// answer. Does not communicate.
bool is_on_network(MPI_Comm comm);

}  // namespace cubefold::preload
