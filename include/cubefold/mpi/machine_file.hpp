#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

/// Name and version, as `Open MPI v4.1.4`: what MPI says of itself, up to the first comma or end of line. Local.
CUBEFOLD_API std::string library_name();

/// Collective: on how many computers the processes run, by what shares memory. Makes a communicator and frees it.
CUBEFOLD_API std::size_t host_count(MPI_Comm comm);

/// Collective: the machine of the file that the environment variable CUBEFOLD_MACHINE names on process 0, which alone
/// reads it; nothing if the variable is not set or empty. Throws std::invalid_argument on all processes alike for what
/// read_machine() and require_fits() refuse. Some broadcasts; with a file also host_count().
CUBEFOLD_API std::optional<Machine> machine_from_environment(MPI_Comm comm, const Grid& grid);

}  // namespace cubefold::mpi
