#pragma once

#include <mpi.h>

#include <string>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// Collective: the root's text, on every process.
CUBEFOLD_API std::string broadcast_text(MPI_Comm comm, std::string text, int root);

}  // namespace cubefold::mpi
