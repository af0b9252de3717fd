#include <mpi.h>

#include "comm_state.hpp"
#include "cubefold/export.h"
#include "interception.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

bool needs_several_threads() {
  return may_replace() && wants_progress_threads();
}

int init(int* argc, char*** argv) {
  if (!needs_several_threads()) return next_mpi().init(argc, argv);
  int provided = MPI_THREAD_SINGLE;
  return next_mpi().init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  return next_mpi().init_thread(argc, argv, needs_several_threads() ? MPI_THREAD_MULTIPLE : required,
                                provided);
}

int finalize() {
  end_progress_threads();
  int rank = 0;
  const bool is_known = MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS;
  if (may_replace() && is_known && rank == 0) print_report();
  keep_states();
  return next_mpi().finalize();
}

}  // namespace

}  // namespace cubefold::preload

extern "C" {

CUBEFOLD_API int MPI_Init(int* argc, char*** argv) {
  return cubefold::preload::init(argc, argv);
}

CUBEFOLD_API int PMPI_Init(int* argc, char*** argv) {
  return cubefold::preload::init(argc, argv);
}

CUBEFOLD_API int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return cubefold::preload::init_thread(argc, argv, required, provided);
}

CUBEFOLD_API int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return cubefold::preload::init_thread(argc, argv, required, provided);
}

CUBEFOLD_API int MPI_Finalize() {
  return cubefold::preload::finalize();
}

CUBEFOLD_API int PMPI_Finalize() {
  return cubefold::preload::finalize();
}
}
