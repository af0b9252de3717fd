#pragma once

#include <mpi.h>

#include <vector>

#include "cubefold/hosts/slurm.hpp"

namespace cubefold::mpi {

/// Collective: returns whether Slurm tells every process its address.
bool has_slurm_addresses(MPI_Comm comm);

/// Collective: returns on process 0 the addresses of all hosts, one for each, and nothing on other processes. Takes
/// O(hosts) memory there.
std::vector<SlurmAddress> gather_slurm_addresses(MPI_Comm comm);

}  // namespace cubefold::mpi
