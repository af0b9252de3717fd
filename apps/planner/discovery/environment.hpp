#pragma once

#include <string>
#include <vector>

#include "cubefold/hosts/host_map.hpp"
#include "hosts/job.hpp"

namespace cubefold::planner {

/// Returns all hosts of the network that SLURM_TOPOLOGY_ADDR of this process names, or else of the one that has the
/// first of the wanted hosts, or else of the only one, by `scontrol show topoconf` or `scontrol show topology`.
/// SLURM_TOPOLOGY_ADDR has to agree with it. Throws std::invalid_argument that says what was tried and what to do if
/// nothing is found.
HostMap map_of_environment(const std::vector<std::string>& wanted);

/// Returns the job of this process, as job_of() reads it. Throws std::invalid_argument outside of a job.
Job job_here();

}  // namespace cubefold::planner
