#pragma once

// Chooses what a test runs of a long sweep. With CUBEFOLD_SWEEP=all, as ./dev test --all sets it, it runs every case.
// CUBEFOLD_SEED repeats the choice of an earlier run, which printed it. tests/sweeps.py does the same in Python.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "support/sanitizers.hpp"

namespace cubefold {

/// Returns whether sweeps run every case.
inline bool sweeps_take_all() {
  const char* const sweep = std::getenv("CUBEFOLD_SWEEP");
  return sweep != nullptr && std::string_view(sweep) == "all";
}

/// The number that chooses the cases of all sweeps of this process. Its first use prints it.
class SweepSeed {
 public:
  static SweepSeed& of_process() {
    static SweepSeed seed;
    return seed;
  }

  unsigned value() {
    if (!std::exchange(is_printed_, true)) {
      std::printf("CUBEFOLD_SEED=%u repeats this choice\n", value_);
      std::fflush(stdout);
    }
    return value_;
  }

  unsigned unprinted_value() const { return value_; }

  /// Takes the seed of another process, which prints it.
  void replace_by(unsigned value) {
    value_ = value;
    is_printed_ = true;
  }

 private:
  SweepSeed() {
    const char* const given = std::getenv("CUBEFOLD_SEED");
    value_ = given != nullptr && *given != 0 ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                             : std::random_device()() % 1000;
  }

  unsigned value_ = 0;
  bool is_printed_ = false;
};

/// Returns every step-th of the numbers 0 .. count - 1, from one on that the seed chooses, and the last one.
inline std::vector<std::size_t> every_step_th(std::size_t count, std::size_t step) {
  std::vector<std::size_t> numbers;
  if (count == 0) return numbers;
  const std::size_t start = step <= 1 ? 0 : SweepSeed::of_process().value() % std::min(step, count);
  for (std::size_t i = start; i < count; i += std::max<std::size_t>(step, 1)) numbers.push_back(i);
  if (numbers.back() != count - 1) numbers.push_back(count - 1);
  return numbers;
}

/// Returns the positions of first .. last that a sweep over failing calls runs: all, or every step-th and the last one.
inline std::vector<std::size_t> positions(std::size_t first, std::size_t last, std::size_t step) {
  if (last < first) return {};
  auto chosen = every_step_th(last - first + 1, sweeps_take_all() ? 1 : step);
  for (std::size_t& position : chosen) position += first;
  return chosen;
}

/// Returns the number behind `number` in a sweep over failing calls whose end is not known. The first number is 1, and
/// after it comes every step-th from one on that the seed chooses, or every one where sweeps run all.
inline std::uint64_t next_position(std::uint64_t number, std::uint64_t step) {
  if (sweeps_take_all()) return number + 1;
  return number == 1 ? 2 + SweepSeed::of_process().value() % step : number + step;
}

/// Returns the cases that a test runs: all, or every step-th and the last one. Sanitizers make a case ten times as
/// slow, and the small cases run all code, so there the step is eight times as long.
template <typename T>
std::vector<T> some_of(std::vector<T> cases, std::size_t step) {
  std::vector<T> chosen;
  for (const std::size_t i :
       every_step_th(cases.size(), (sweeps_take_all() ? 1 : step) * (sanitized ? 8 : 1)))
    chosen.push_back(std::move(cases[i]));
  return chosen;
}

/// Returns `whole` where sweeps run every case, and `sample` elsewhere. Sanitizers get `sample`, too.
template <typename T>
T whole_or_sample(T whole, T sample) {
  return sweeps_take_all() && !sanitized ? whole : sample;
}

/// Returns all of the cases that are small, and some_of() the others.
template <typename T, typename IsSmall>
std::vector<T> small_and_some_of(std::vector<T> cases, IsSmall is_small, std::size_t step) {
  const auto large = std::stable_partition(cases.begin(), cases.end(), is_small);
  std::vector<T> others(std::make_move_iterator(large), std::make_move_iterator(cases.end()));
  cases.erase(large, cases.end());
  for (T& each : some_of(std::move(others), step)) cases.push_back(std::move(each));
  return cases;
}

}  // namespace cubefold
