#pragma once

#include <mpi.h>
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "program/cli_fwd.hpp"

namespace cubefold::timing {

/// Holds the times of one case, one for each of its runs in the order in which they ran. All functions require at least
/// one run.
struct Times {
  std::vector<double> seconds;

  double minimum() const;
  double maximum() const;

  /// Returns the median. For an even number of runs it is the mean of the middle two.
  double median() const;
};

/// Returns an object with the entries median_seconds, min_seconds, max_seconds and seconds.
nlohmann::ordered_json as_json(const Times& times);

/// Holds the options of every program that measures: --block, --repetitions and --seed.
struct RunOptions {
  std::vector<std::size_t> block_sizes{8, 1024, 65536};
  int repetitions = 20;
  std::uint64_t seed = 1;
};

void add_run_options(CLI::App& app, RunOptions& options);

/// Returns case numbers in random order, each as often as there are repetitions. The order depends only on the seed, so
/// it is the same on all processes, machines and compilers.
std::vector<std::size_t> shuffled_runs(std::size_t case_count, int repetitions, std::uint64_t seed);

/// Holds the results of a measurement: the cases in the order in which they ran, and the times of each.
struct Measured {
  std::vector<std::size_t> order;
  std::vector<Times> times;
};

/// Runs one case and returns its time. No two runs have the same number.
using TimedRun = std::function<double(std::size_t case_number, std::uint32_t run)>;

/// Runs every case once without timing it, and then all runs in shuffled order, so that a change of the network's state
/// affects all cases alike. All processes must call this.
Measured measure_shuffled(MPI_Comm comm, std::size_t case_count, const RunOptions& options,
                          const TimedRun& timed_run);

/// Starts the work on all processes together, and returns the seconds of the slowest. All processes must call this.
template <typename Work>
double time_of_slowest(MPI_Comm comm, Work work) {
  mpi::check(MPI_Barrier(comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  return seconds;
}

}  // namespace cubefold::timing
