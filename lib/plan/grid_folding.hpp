#pragma once

#include <functional>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Lays a grid (the guest) on another of as many nodes (the host), with neighbours near each other, in many ways: calls
/// visit(host node of every guest node) for one after the other until it returns false.
///
/// Coordinates of guest axes are split into digits of a mixed radix. Each digit goes to one host axis, whose coordinate
/// is composed of its digits in a mixed radix again. Both are tried in every order, with reflected digits (so that
/// neighbours differ in one digit by one) and without; cycles also folded flat. Ways with few digits come first, which
/// are permutations of the axes where extents are equal. Throws std::invalid_argument unless both grids have as many
/// nodes. O(nodes * axes^2) per visit.
void for_each_folding(const Grid& guest, const Grid& host,
                      const std::function<bool(const std::vector<GridNode>&)>& visit);

}  // namespace cubefold
