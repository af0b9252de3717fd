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

/// Returns the best rule that local searches find by swaps of two bits and changes of one axis's embedding. The first
/// two searches start from standard and xor embeddings without an order, and the others from random rules. The function
/// ends when it has used up the work (about nanoseconds) or tried `starts` starts. The first of equal rules wins.
BitSearchResult bit_search(const Grid& grid, AxisLoads& loads, double work_limit, int starts,
                           std::uint64_t seed);

/// Returns roughly the nanoseconds that exhaustive_search() needs for the costs of all axes.
double work_of_exhaustive_search(const Grid& grid, const AxisLoads& loads);

struct ExhaustiveResult {
  /// The best of all rules, or nothing if none is better than the limit.
  std::optional<JointRule> rule;
  JointValue value;
  /// True if no rule has a smaller objective. It is false only if there were too many partial rules of which none is
  /// better than another.
  bool is_complete = true;
};

/// Searches all embeddings per axis and all orders of bits. The cost of an axis depends on the set of bits on the axes
/// before it, but not on their order. The search therefore computes this cost once for every such set, every choice and
/// order of the axis's own bits, and every embedding. A dynamic programme over sets of bits then combines the axes. It
/// keeps the partial rules that no other one dominates in all components, and drops those that cannot come below the
/// limit.
ExhaustiveResult exhaustive_search(const Grid& grid, AxisLoads& loads, JointValue limit);

}  // namespace cubefold
