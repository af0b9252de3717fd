#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axis_loads.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A placement by an order of the rank bits and an embedding for each axis. New bit k is old bit order[k]. Axis 0 has
/// the lowest new bits, and its embedding maps them to its coordinate.
struct JointRule {
  std::vector<Embedding> embeddings;
  std::vector<int> order;
};

/// The objective, and the hops, which decide between equal objectives.
struct JointValue {
  double objective = 0;
  double hops = 0;
};

/// Returns whether a is better than b by more than rounding errors.
bool is_better(const JointValue& a, const JointValue& b);

bool extents_are_powers_of_two(const Grid& grid);

/// Returns a bound of the rounding error of a sum of doubles with this value, in any order of the terms. Only searches
/// use it; their results are compared exactly.
double tolerance_of(double value);

/// Returns the embeddings that differ on an axis. For two bits gray equals xor, and for one bit all embeddings equal
/// standard.
std::vector<Embedding> embeddings_of(const Grid& grid, int axis);

/// The number of an axis's lowest new bit, and its number of bits.
struct BitRange {
  int first;
  int count;
};
BitRange bits_of(const Grid& grid, int axis);

/// Returns the bits and the embedding of a rule on one axis.
AxisBits axis_bits(const Grid& grid, const JointRule& rule, int axis);

/// Returns the node of every rank. Requires 2^(number of bits in the order) nodes. Costs O(nodes).
std::vector<GridNode> nodes_of(const Grid& grid, const JointRule& rule);

/// Returns the rule that gives these nodes, or nothing if there is none. Requires extents that are powers of two. Costs
/// O(nodes).
std::optional<JointRule> rule_of(const Grid& grid, const std::vector<GridNode>& nodes);

/// Returns the rule in the form that parse_placement() reads. The text has one embedding if that is equivalent on all
/// axes, and no order if the order is the identity.
std::string to_string(const Grid& grid, const JointRule& rule);

/// Returns the value of a rule from the costs of its axes. Requires one cost per axis.
JointValue value_of(const std::vector<AxisCost>& costs, const std::vector<double>& weights);

}  // namespace cubefold
