#include <mpi.h>

#include "comm_state.hpp"
#include "cubefold/export.h"
#include "interception.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

namespace {

int finalize() {
  int rank = 0;
  const bool is_known = MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS;
  if (may_replace() && is_known && rank == 0) print_report();
  keep_states();
  return next_mpi().finalize();
}

}  // namespace

}  // namespace cubefold::preload

extern "C" {

CUBEFOLD_API int MPI_Finalize() {
  return cubefold::preload::finalize();
}

CUBEFOLD_API int PMPI_Finalize() {
  return cubefold::preload::finalize();
}
}
