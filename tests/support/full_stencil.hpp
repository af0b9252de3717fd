#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedule/neighbour_grid.hpp"

namespace cubefold {

/// Returns all offsets of at most `radius` on each axis but 0.
inline std::vector<NeighbourGrid::Offset> full_stencil(int axis_count, std::int32_t radius = 1) {
  std::vector<NeighbourGrid::Offset> offsets{{}};
  for (int axis = 0; axis < axis_count; ++axis) {
    std::vector<NeighbourGrid::Offset> longer;
    for (const auto& offset : offsets) {
      for (std::int32_t steps = -radius; steps <= radius; ++steps) {
        longer.push_back(offset);
        longer.back().push_back(steps);
      }
    }
    offsets = std::move(longer);
  }
  std::erase_if(offsets, [](const auto& offset) {
    return std::ranges::all_of(offset, [](std::int32_t steps) { return steps == 0; });
  });
  return offsets;
}

}  // namespace cubefold
