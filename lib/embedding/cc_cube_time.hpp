#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

namespace cubefold {

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
