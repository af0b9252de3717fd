#pragma once

#include <optional>
#include <string>

#include "cubefold/hosts/host_map.hpp"

namespace cubefold::planner {

/// Returns the hosts that Slurm knows here: those of `scontrol show topoconf` or `scontrol show topology`, and of these
/// the hosts of the job if this process is in one. SLURM_TOPOLOGY_ADDR of this process has to agree with it. Throws
/// std::invalid_argument that says what was tried and what to do if nothing is found.
HostMap map_of_environment();

/// Returns the hosts of the job of this process in Slurm's syntax for lists, or nothing outside of a job.
std::optional<std::string> hosts_of_job();

}  // namespace cubefold::planner
