#pragma once

#include <mpi.h>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// Collective: whether the environment variable CUBEFOLD_CHECK is 1 on any process. All get the same answer, so they
/// can go on to compare what has to be equal everywhere. One MPI_Allreduce of an int.
CUBEFOLD_API bool checked_mode(MPI_Comm comm);

}  // namespace cubefold::mpi
