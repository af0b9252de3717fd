#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "grid_phases.hpp"
#include "product_phase.hpp"

namespace cubefold {

/// Returns a phase in which every node sends one message to every node that differs from it in one given digit of each
/// axis and in nothing else; radix 1 leaves an axis out. The phase is a ProductPhase, or a PatternPhase if that takes
/// fewer steps. A PatternPhase is tried if the digits are whole coordinates of extents up to 256, on at most 65536
/// nodes, and the ProductPhase takes more steps than there are messages over the busiest link or, with one port, of a
/// node. On a grid with a route table, the phase is a RoutedPhase, which needs digits that are whole coordinates on all
/// axes. GridPhase::load_of is empty. Throws what ProductPhase throws; costs what these phases do.
CUBEFOLD_API GridPhase digit_phase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                                   ProductPhase::Sharing sharing = ProductPhase::Sharing::yes);

/// Returns digit_phase(...).step_count without building the permutations of a ProductPhase. A PatternPhase is built.
/// Requires a grid without a route table.
std::size_t digit_phase_steps(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                              ProductPhase::Sharing sharing = ProductPhase::Sharing::yes);

/// Returns the start-ups of each step of digit_phase() on a grid with a route table. Throws what digit_phase() throws.
CUBEFOLD_API std::vector<std::uint64_t> routed_phase_startups(const Grid& grid,
                                                              const std::vector<Digit>& digits, Ports ports);

/// Returns digits that are the whole coordinate of one axis and leave out all others.
std::vector<Digit> whole_axis(const Grid& grid, int axis);

}  // namespace cubefold
