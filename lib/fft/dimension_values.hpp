#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// Values of a dimension that one of `members` members has, ascending; nothing empty.
std::vector<ValueRun> values_of(const IndexDimension& dimension, std::size_t member, std::size_t members);

std::size_t owner_of(const IndexDimension& dimension, std::size_t value, std::size_t members);

/// Values of one member's that are below the value.
std::size_t place_among(const std::vector<ValueRun>& runs, std::size_t value);

std::size_t value_at(const std::vector<ValueRun>& runs, std::size_t place);

std::size_t count_of(const std::vector<ValueRun>& runs);

/// Values that both have, as runs. The steps are equal, or one of them is 1.
std::vector<ValueRun> common_values(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b);

constexpr std::size_t divided_up(std::size_t value, std::size_t by) {
  return value / by + (value % by == 0 ? 0 : 1);
}

}  // namespace cubefold::fft
