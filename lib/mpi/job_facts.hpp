#pragma once

#include <optional>

#include "cubefold/export.h"
#include "plan/job_facts.hpp"

namespace cubefold::mpi {

class CommContext;
class VirtualComm;

/// Collective on the context: finds the hosts of the processes and reads CUBEFOLD_ALLTOALL and CUBEFOLD_TRIALS of
/// process 0, which hints of the communicator replace. With a machine, the number of hosts is that of the machine.
/// Throws std::invalid_argument on all processes for invalid values of the variables.
CUBEFOLD_API JobFacts job_facts(const VirtualComm& comm, const CommContext& context,
                                const std::optional<Machine>& machine);

}  // namespace cubefold::mpi
