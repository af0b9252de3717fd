#pragma once

#include <optional>
#include <span>
#include <string>

#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "planner/launchers/allocation.hpp"

namespace cubefold::planner {

/// Throws std::invalid_argument for a grid of more than 1024 nodes.
void require_drawable(const Grid& grid);

/// Returns the unit of the messages of phases: bytes if all phases are of profiles, and messages otherwise.
std::string noun_of(std::span<const Phase> phases);

/// Returns the line below a picture of phases.
std::string caption_of(const Grid& grid, std::span<const Phase> phases, Tie tie);

/// Returns the load below which no placement has its busiest link with all phases at once. The ranks of a brick, or
/// else consecutive ranks, share a node. Returns 0 if nothing is sent, or if nodes have unequal numbers of ranks.
/// Throws and costs as lower_bound() does.
double bound_of(const Allocation& allocation, std::span<const Phase> phases,
                const std::optional<Bricks>& bricks);

}  // namespace cubefold::planner
