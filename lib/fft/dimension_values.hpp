#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// Returns the values of a dimension that one of `members` members has, ascending, in at most three runs of which none
/// is empty. Cost O(1), as all functions here but common_values().
std::vector<ValueRun> values_of(const IndexDimension& dimension, std::size_t member, std::size_t members);

/// Returns the member that has a value; 0 for local dimensions.
std::size_t owner_of(const IndexDimension& dimension, std::size_t value, std::size_t members);

/// Returns the place of a value among one member's: how many of the runs' values are below it.
std::size_t place_among(const std::vector<ValueRun>& runs, std::size_t value);

/// Returns the value at a place; inverse of place_among().
std::size_t value_at(const std::vector<ValueRun>& runs, std::size_t place);

/// Returns how many values the runs have.
std::size_t count_of(const std::vector<ValueRun>& runs);

/// Returns the values that both have, as runs. Requires steps that are equal, or one step of 1. Cost O(runs of a * runs
/// of b).
std::vector<ValueRun> common_values(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b);

/// Returns value / by, rounded up.
constexpr std::size_t divided_up(std::size_t value, std::size_t by) {
  return value / by + (value % by == 0 ? 0 : 1);
}

}  // namespace cubefold::fft
