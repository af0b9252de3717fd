#pragma once

#include <mpi.h>

#include <string>

namespace cubefold::mpi {

/// Collective: the root's text, on every process.
std::string broadcast_text(MPI_Comm comm, std::string text, int root);

}  // namespace cubefold::mpi
