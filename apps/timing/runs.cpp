#include "timing/runs.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <utility>

#include "mpi/agreement.hpp"
#include "program/values.hpp"

namespace cubefold::timing {

double Times::minimum() const {
  return *std::min_element(seconds.begin(), seconds.end());
}

double Times::maximum() const {
  return *std::max_element(seconds.begin(), seconds.end());
}

double Times::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

nlohmann::ordered_json as_json(const Times& times) {
  return {{"median_seconds", times.median()},
          {"min_seconds", times.minimum()},
          {"max_seconds", times.maximum()},
          {"seconds", times.seconds}};
}

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("--block", options.block_sizes,
                 "Block sizes in bytes, separated by commas; KiB and MiB may follow")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(program::size_in_bytes())
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Number of timed runs of each case, in random order")
      ->transform(program::whole_number(1, 1000000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random order of runs")
      ->transform(program::whole_number(0))
      ->capture_default_str();
}

// std::shuffle is not used, because its result may differ between standard libraries. The bias of the remainder is
// below case_count * repetitions / 2^64.
std::vector<std::size_t> shuffled_runs(std::size_t case_count, int repetitions, std::uint64_t seed) {
  std::vector<std::size_t> runs;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t number = 0; number < case_count; ++number) runs.push_back(number);
  }
  std::mt19937_64 random(seed);
  for (std::size_t left = runs.size(); left > 1; --left) std::swap(runs[left - 1], runs[random() % left]);
  return runs;
}

Measured measure_shuffled(MPI_Comm comm, std::size_t case_count, const RunOptions& options,
                          const TimedRun& timed_run) {
  Measured result;
  mpi::agree_on_outcome(comm, [&] {
    result = {shuffled_runs(case_count, options.repetitions, options.seed), std::vector<Times>(case_count)};
    for (Times& times : result.times) times.seconds.reserve(static_cast<std::size_t>(options.repetitions));
  });
  std::uint32_t run = 0;
  for (std::size_t number = 0; number < case_count; ++number) timed_run(number, run++);
  for (const std::size_t number : result.order)
    result.times[number].seconds.push_back(timed_run(number, run++));
  return result;
}

}  // namespace cubefold::timing
