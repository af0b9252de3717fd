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

/// Holds what a comparison of a host map with Slurm's addresses finds.
struct SlurmComparison {
  std::string contradiction;  ///< empty if the map may be true
  std::string remark;         ///< the first address that is ignored because it cannot be read, or empty
};

/// Collective: compares a host map, whose JSON is the same on all processes, with Slurm's addresses, if there are any.
SlurmComparison compare_with_slurm(MPI_Comm comm, const std::string& json);

}  // namespace cubefold::mpi
