#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "cubefold/hosts/slurm.hpp"

namespace cubefold::mpi {

/// Collective: returns whether Slurm tells any process its address.
bool has_slurm_addresses(MPI_Comm comm);

/// Collective: returns on process 0 the addresses of all hosts, one for each, and nothing on other processes. The
/// address of a host that has none is empty. Takes O(hosts) memory there.
std::vector<SlurmAddress> gather_slurm_addresses(MPI_Comm comm);

/// Returns the text of Slurm's topology.yaml on this host, or an empty text if it has none. Does not communicate.
std::string slurm_topology();

}  // namespace cubefold::mpi
