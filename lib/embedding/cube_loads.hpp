#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/link_loads.hpp"

/// What nodes and links carry when neighbours in a hypercube exchange, by enumeration of all cube links: each function
/// costs O(d 2^d axes) and throws std::invalid_argument if the ranks are no power of two. After [Xor] section 4.
namespace cubefold {

/// Cube links that begin, end or pass through a node.
struct NodeLoad {
  std::uint64_t maximum;
  std::uint64_t minimum;
  double average;
};

/// A cube link is counted once, on the balanced route from its lower rank to its higher one.
CUBEFOLD_API NodeLoad node_load(const Placement& placement);

/// 0 to d - 1.
CUBEFOLD_API std::vector<int> all_dimensions(const Placement& placement);

/// One message from every rank to its neighbour in each of the dimensions: one of them is a phase, several are phases
/// at the same time. Throws std::invalid_argument for a dimension that the hypercube does not have.
CUBEFOLD_API LinkLoads cube_link_loads(const Placement& placement, std::span<const int> dimensions, Tie tie);

/// Messages on the busiest directed link of cube_link_loads().
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, std::span<const int> dimensions, Tie tie);

}  // namespace cubefold
