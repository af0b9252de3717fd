#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/link_loads.hpp"

/// These functions count what nodes and links carry when neighbours in a hypercube exchange, by enumeration of all cube
/// links. Each function costs O(d 2^d axes) and throws std::invalid_argument if the number of ranks is no power of two.
/// Source: [Xor] section 4.

namespace cubefold {

/// Returns the dimensions 0 to d - 1.
CUBEFOLD_API std::vector<int> all_dimensions(const Placement& placement);

/// Returns the loads of the links if every rank sends one message to its neighbour in each of the dimensions: one
/// dimension makes one phase, several dimensions make phases at the same time. Throws std::invalid_argument for a
/// dimension that the hypercube does not have.
CUBEFOLD_API LinkLoads cube_link_loads(const Placement& placement, std::span<const int> dimensions, Tie tie);

/// Returns the number of messages on the busiest directed link of cube_link_loads().
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

/// Holds the costs of a stage of a CC-cube algorithm.
struct StageCosts {
  double compute_seconds;  ///< t_a, for every rank in every stage
  double hop_seconds;      ///< t_c, for each hop between the two ranks that exchange
};

/// Holds how long a CC-cube algorithm takes, and how much of that time a rank waits for neighbours that come later.
struct CcCubeTime {
  double seconds;                  ///< until the last rank is done
  double longest_waiting_seconds;  ///< longest waiting time of any rank
  double average_waiting_seconds;
};

/// Returns the time of a CC-cube algorithm with stages in dimensions 0 to d - 1. After stage i, without computations,
/// rank r is done at T_i(r) = D_i(r) t_c + max(T_{i-1}(r), T_{i-1}(N_i r)), where D_i(r) is the number of hops to its
/// neighbour. The computations add d t_a. Messages do not delay each other. Without waiting, as with constant
/// distances, the time is t_c times the sum of distances + d t_a. Costs O(d 2^d axes). Throws std::invalid_argument if
/// the number of ranks is no power of two. Source: [Xor] sections 2 and 4.
CUBEFOLD_API CcCubeTime cc_cube_time(const Placement& placement, const StageCosts& costs);

}  // namespace cubefold
