#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"

namespace cubefold {

/// Returns the placement `standard` with cyclic bit assignment on the mesh that 2^dimension_count ranks fill evenly.
/// Source: [Calmant] 2.3.
inline Placement cyclic_mesh(int dimension_count, int axis_count) {
  std::vector<std::uint32_t> extents;
  for (int axis = 0; axis < axis_count; ++axis) {
    extents.push_back(std::uint32_t{1} << ((dimension_count + axis_count - 1 - axis) / axis_count));
  }
  return {Grid(extents, Ends::open), parse_placement("standard,bits=cyclic")};
}

}  // namespace cubefold
