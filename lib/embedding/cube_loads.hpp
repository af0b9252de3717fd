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

/// Calls visit(dimension, node of the lower rank, node of the higher rank) for every undirected cube link, dimension by
/// dimension.
template <typename Visit>
void for_each_cube_link(const Placement& placement, Visit visit) {
  const int dimensions = dimension_count(placement);
  const auto nodes = node_of_rank(placement);
  for (int i = 0; i < dimensions; ++i) {
    const auto bit = std::size_t{1} << i;
    for (std::size_t r = 0; r < nodes.size(); ++r) {
      if ((r & bit) == 0) visit(i, nodes[r], nodes[r | bit]);
    }
  }
}

/// What a stage of a CC-cube algorithm costs.
struct StageCosts {
  double compute_seconds;  ///< t_a, every rank in every stage
  double hop_seconds;      ///< t_c, for each hop between the two ranks that exchange
};

/// How long a CC-cube algorithm takes, and how much of that a rank waits for neighbours that come later.
struct CcCubeTime {
  double seconds;                  ///< until the last rank is done
  double longest_waiting_seconds;  ///< of any rank
  double average_waiting_seconds;
};

/// Stages in dimensions 0 to d - 1. After stage i, computations apart, rank r is done at T_i(r) = D_i(r) t_c +
/// max(T_{i-1}(r), T_{i-1}(N_i r)), D_i(r) hops from its neighbour; d t_a for the computations comes on top. Messages
/// do not get in each other's way. Without waiting, as with constant distances, this is t_c times the sum of distances
/// + d t_a. O(d 2^d axes). Throws std::invalid_argument if the ranks are no power of two. Source: [Xor] sections 2 and
/// 4.
CUBEFOLD_API CcCubeTime cc_cube_time(const Placement& placement, const StageCosts& costs);

}  // namespace cubefold
