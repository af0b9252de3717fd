#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schedule/schedule_json.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/pairwise_exchange.hpp"

/// Provides complete exchanges without conflicts, with one port and balanced ties, for tests that break them.
namespace cubefold::mutations {

inline constexpr int trial_count = 100;

inline ScheduleFile file_of(const char* grid, const char* rule, Schedule schedule) {
  return {
      {parse_grid(grid), parse_placement(rule)}, Ports::one, Tie::balanced, "", {0, 0}, std::move(schedule)};
}

/// Returns an exchange with one block per step, sent straight to its destination. It has no conflicts on any grid.
inline Schedule one_after_the_other(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {}};
  for (std::uint32_t s = 0; s < rank_count; ++s) {
    for (std::uint32_t d = 0; d < rank_count; ++d) {
      if (s != d) schedule.steps.push_back({{Rank{s}, Rank{d}, {{Rank{s}, Rank{d}}}}});
    }
  }
  return schedule;
}

/// Returns exchanges that pass blocks on through other ranks. In every step every rank sends and receives.
inline std::vector<ScheduleFile> cubes() {
  return {file_of("hypercube:2", "standard", cc_cube_exchange(2)),
          file_of("hypercube:5", "standard,order=4-2-0-1-3", cc_cube_exchange(5)),
          file_of("torus:4x4", "xor", cc_cube_exchange(4)), file_of("ring:4", "gray", cc_cube_exchange(2)),
          file_of("grid:4wx2", "xor", cc_cube_exchange(3))};
}

/// Returns exchanges in which every block travels once. In every step every rank sends and receives.
inline std::vector<ScheduleFile> full_direct_ones() {
  return {file_of("hypercube:3", "standard", pairwise_exchange(3)),
          file_of("torus:4x4", "xor", pairwise_exchange(4)),
          file_of("grid:4wx2", "standard", pairwise_exchange(3))};
}

inline std::vector<ScheduleFile> direct_ones() {
  auto files = full_direct_ones();
  files.push_back(file_of("mesh:3x2", "identity", one_after_the_other(6)));
  files.push_back(file_of("grid:5wx2", "nodes=9-8-7-6-5-4-3-2-1-0", one_after_the_other(10)));
  return files;
}

inline std::vector<ScheduleFile> full_ones() {
  auto files = cubes();
  for (ScheduleFile& file : full_direct_ones()) files.push_back(std::move(file));
  return files;
}

inline std::vector<ScheduleFile> all_ones() {
  auto files = cubes();
  for (ScheduleFile& file : direct_ones()) files.push_back(std::move(file));
  return files;
}

inline std::string name_of(const ScheduleFile& file) {
  return to_string(file.placement.rule()).append(" on ").append(to_string(file.placement.grid()));
}

/// Calls trial(file, chance) on `trial_count` copies of every file. The generator `chance` starts from the same seed
/// for every file. Stops at the first failure.
template <typename Trial>
void try_on(const std::vector<ScheduleFile>& files, Trial&& trial) {
  for (const ScheduleFile& genuine : files) {
    std::mt19937 chance(20021);
    for (int i = 0; i < trial_count; ++i) {
      SCOPED_TRACE(testing::Message() << name_of(genuine) << ", trial " << i);
      ScheduleFile file = genuine;
      trial(file, chance);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace cubefold::mutations
