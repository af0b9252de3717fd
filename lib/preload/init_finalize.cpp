#include <mpi.h>

#include <cstdio>

#include "alltoall_arguments.hpp"
#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "summary.hpp"
#include "world.hpp"

namespace cubefold::preload {

namespace {

bool needs_several_threads() {
  return may_replace() && wants_progress_threads();
}

/// Prepares calls after MPI's initialisation, whose code it returns.
int initialised(int code) noexcept {
  if (code != MPI_SUCCESS || !may_replace()) return code;
  prepare_checks();
  try {
    const InsideLibrary inside;
    gather_world();
    prepare_progress_thread(MPI_COMM_WORLD);
  } catch (...) {
    // The other processes wait for this one, and the program has not set an error handler yet.
    std::fprintf(stderr, "cubefold: MPI_Init: %s\n", mpi::current_failure().text.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return code;
}

int init_thread(int* argc, char*** argv, int required, int* provided, Name name) {
  const int level = needs_several_threads() ? MPI_THREAD_MULTIPLE : required;
  return initialised(
      pass_on(name, [&](const NextMpi& mpi) { return mpi.Init_thread(argc, argv, level, provided); }));
}

int init(int* argc, char*** argv, Name name) {
  int provided = MPI_THREAD_SINGLE;
  if (needs_several_threads()) return init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided, name);
  return initialised(pass_on(name, [&](const NextMpi& mpi) { return mpi.Init(argc, argv); }));
}

int finalize(Name name) {
  int rank = 0;
  const bool is_known = MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS;
  end_with_report(is_known && rank == 0);
  return pass_on(name, [](const NextMpi& mpi) { return mpi.Finalize(); });
}

}  // namespace

}  // namespace cubefold::preload

CUBEFOLD_REPLACE(Init, (int* argc, char*** argv), cubefold::preload::init(argc, argv, name))

CUBEFOLD_REPLACE(Init_thread, (int* argc, char*** argv, int required, int* provided),
                 cubefold::preload::init_thread(argc, argv, required, provided, name))

CUBEFOLD_REPLACE(Finalize, (), cubefold::preload::finalize(name))
