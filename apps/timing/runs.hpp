#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "program/cli_fwd.hpp"
#include "timing/times.hpp"

namespace cubefold::timing {

/// What every program that measures is asked: --block, --repetitions and --seed.
struct RunOptions {
  std::vector<std::size_t> block_sizes{8, 1024, 65536};
  int repetitions = 20;
  std::uint64_t seed = 1;
};

void add_run_options(CLI::App& app, RunOptions& options);

/// Cases by number, each as often as there are repetitions, in a random order that the seed alone decides: on all
/// processes, machines and compilers the same.
std::vector<std::size_t> shuffled_runs(std::size_t case_count, int repetitions, std::uint64_t seed);

/// What was measured: the cases in the order in which they ran, and the times of each.
struct Measured {
  std::vector<std::size_t> order;
  std::vector<Times> times;
};

/// Runs one case and says how long it took. No two runs have the same number.
using TimedRun = std::function<double(std::size_t case_number, std::uint32_t run)>;

/// Collective: every case once ahead, which does not count, then all runs in shuffled order, so that a change of the
/// network's mood does not fall on one case.
Measured measure_shuffled(MPI_Comm comm, std::size_t case_count, const RunOptions& options,
                          const TimedRun& timed_run);

/// Collective: starts the work together, and returns the time of the slowest process.
template <typename Work>
double time_of_slowest(MPI_Comm comm, Work work) {
  mpi::check(MPI_Barrier(comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  return seconds;
}

/// `8 B`, `1 KiB`, `3 MiB`, `1000 B`.
std::string size_text(std::size_t bytes);

}  // namespace cubefold::timing
