#pragma once

#include <cstdint>
#include <optional>

#include "joint_rule.hpp"

namespace cubefold {

struct BitSearchResult {
  JointRule rule;
  JointValue value;
  double work = 0;
};

/// Local search over swaps of two bits and changes of one axis's embedding, from the orders that have names and then
/// from random ones, until the work (nanoseconds or so) is used up or `starts` have been tried. Ties go to what was
/// found first.
BitSearchResult bit_search(const Grid& grid, AxisLoads& loads, double work_limit, int starts,
                           std::uint64_t seed);

/// Roughly how long, in nanoseconds, the costs of all axes take.
double work_of_exhaustive_search(const Grid& grid, const AxisLoads& loads);

struct ExhaustiveResult {
  /// The best of all rules, if it is better than the limit.
  std::optional<JointRule> rule;
  JointValue value;
  /// Whether no rule has a smaller objective. Not so only if there were too many partial rules, none better than
  /// another.
  bool is_complete = true;
};

/// Looks at all embeddings per axis and all orders of bits, which is less than it seems: the cost of an axis depends on
/// which bits come on the axes before it and not on their order. So it is counted once for every such set, every choice
/// and order of its own bits and every embedding; then axes are put together by a dynamic programme over sets of bits
/// that keeps what no other surpasses in every component, and drops what cannot come below the limit.
ExhaustiveResult exhaustive_search(const Grid& grid, AxisLoads& loads, JointValue limit);

}  // namespace cubefold
