#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

struct Hints;

/// Returns the name and version of the MPI library, as `Open MPI v4.1.4` or `MPICH v4.0.2`: the text of
/// MPI_Get_library_version up to the first comma or end of line. Does not communicate, and may be called before
/// MPI_Init.
CUBEFOLD_API std::string library_name();

/// Collective: returns the machine in the file that the hint `machine` names, or else the environment variable
/// CUBEFOLD_MACHINE on process 0, or nothing if there is neither. Only process 0 reads the file. Throws
/// std::invalid_argument on all processes if read_machine() does. Costs some broadcasts.
CUBEFOLD_API std::optional<Machine> machine_of_root(MPI_Comm comm, const Hints* hints = nullptr);

/// Collective: returns machine_of_root() for the processes of a grid. Throws std::invalid_argument on all processes if
/// require_fits() does, too. Costs host_count() more if there is a file.
CUBEFOLD_API std::optional<Machine> machine_from_environment(MPI_Comm comm, const Grid& grid,
                                                             const Hints* hints = nullptr);

}  // namespace cubefold::mpi
