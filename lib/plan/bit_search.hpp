#pragma once

#include <cstdint>

#include "joint_rule.hpp"

namespace cubefold {

struct BitSearchResult {
  JointRule rule;
  JointValue value;
  double work = 0;
};

/// Local search over swaps of two bits and changes of one axis's embedding, from the orders that have names and then from
/// random ones, until the work (nanoseconds or so) is used up or `starts` have been tried. Ties go to what was found
/// first.
BitSearchResult bit_search(const Grid& grid, AxisLoads& loads, double work_limit, int starts,
                           std::uint64_t seed);

}  // namespace cubefold
