#pragma once

#include <cstddef>
#include <vector>

namespace cubefold::fft {

/// Describes the points of one process where they form a box: point x of dimension d has offsets[d] <= x < offsets[d] +
/// extents[d]. The last dimension is fastest in memory, but for transposed output, whose order in memory
/// Plan::output_strides() returns.
struct LocalBox {
  std::vector<std::size_t> extents;
  std::vector<std::size_t> offsets;

  bool operator==(const LocalBox&) const = default;
};

}  // namespace cubefold::fft
