#pragma once

#include <mpi.h>

#include <string>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// Returns the value of an environment variable of this process, or an empty text if it is unset.
CUBEFOLD_API std::string own_variable(const char* name);

/// Collective: returns the value of an environment variable on process 0, or an empty text if it is unset.
CUBEFOLD_API std::string variable_of_root(const char* name, MPI_Comm comm);

}  // namespace cubefold::mpi
