#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace cubefold::bench {

/// Compares the times of two ways to do the same work. Each of two functions runs one batch of the work and returns its
/// seconds. They run alternately, because only medians of alternate batches are comparable on a busy machine. The
/// benchmark reports the time of `ours`.
class Comparison {
 public:
  template <typename Ours, typename Theirs>
  void run_pair(benchmark::State& state, Ours ours, Theirs theirs) {
    const bool ours_first = (random_() & 1) != 0;
    if (ours_first) ours_.push_back(ours());
    theirs_.push_back(theirs());
    if (!ours_first) ours_.push_back(ours());
    state.SetIterationTime(ours_.back());
  }

  /// Reports the median nanoseconds of one operation for both functions, and the ratio of ours to theirs.
  void report_times(benchmark::State& state, const std::string& ours, const std::string& theirs,
                    double operations_per_batch) {
    const double nanoseconds = 1e9 / operations_per_batch;
    state.counters[ours + "_ns"] = median(ours_) * nanoseconds;
    state.counters[theirs + "_ns"] = median(theirs_) * nanoseconds;
    state.counters["ratio"] = median(ours_) / median(theirs_);
  }

  /// Reports the bytes per second of the median batch for both functions.
  void report_rates(benchmark::State& state, const std::string& ours, const std::string& theirs,
                    double bytes_per_batch) {
    state.counters[ours + "_bytes_per_second"] = bytes_per_batch / median(ours_);
    state.counters[theirs + "_bytes_per_second"] = bytes_per_batch / median(theirs_);
  }

 private:
  static double median(std::vector<double>& values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  std::mt19937 random_;
  std::vector<double> ours_;
  std::vector<double> theirs_;
};

/// Returns the seconds that work() takes.
template <typename Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace cubefold::bench
