#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axis_loads.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A placement of the family that the joint optimiser searches: coordinate bits are rank bits in some order, seen
/// through an embedding per axis. New bit k = old bit order[k]; axis 0 has the lowest new bits.
struct JointRule {
  std::vector<Embedding> embeddings;
  std::vector<int> order;
};

/// The objective, and what decides among equals.
struct JointValue {
  double objective = 0;
  double hops = 0;
};

/// Whether a is better by more than rounding.
bool is_better(const JointValue& a, const JointValue& b);

bool extents_are_powers_of_two(const Grid& grid);

/// Sums of that size in doubles, in whatever order, differ by less from rounding alone. For searches: what they find is
/// compared exactly.
double tolerance_of(double value);

/// The embeddings that differ on an axis: of two bits gray is xor, and of one bit all are standard.
std::vector<Embedding> embeddings_of(const Grid& grid, int axis);

/// Number of the axis's lowest new bit, and how many it has.
struct BitRange {
  int first;
  int count;
};
BitRange bits_of(const Grid& grid, int axis);

/// What a rule gives on one axis.
AxisBits axis_bits(const Grid& grid, const JointRule& rule, int axis);

/// Node of every rank. Requires 2^(number of bits in the order) nodes. O(nodes).
std::vector<GridNode> nodes_of(const Grid& grid, const JointRule& rule);

/// Returns the rule that gives these nodes, if one does. Requires extents that are powers of two. O(nodes).
std::optional<JointRule> rule_of(const Grid& grid, const std::vector<GridNode>& nodes);

/// As parse_placement() reads it: one embedding where that says the same for all axes, no order where bits stay.
std::string to_string(const Grid& grid, const JointRule& rule);

/// The value whose parts axes contribute. Requires one cost per axis.
JointValue value_of(const std::vector<AxisCost>& costs, const std::vector<double>& weights);

}  // namespace cubefold
