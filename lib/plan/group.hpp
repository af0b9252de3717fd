#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// What groups of `per_node` ranks send each other: every pair once, in ascending order, none to itself, nothing of zero
/// messages. Group = rank / per_node. Throws std::invalid_argument in the caller's name for a rank beyond the grid's
/// groups, a weight or messages that are negative or not finite, and for per_node 0.
std::vector<Phase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                  std::size_t per_node);

}  // namespace cubefold
