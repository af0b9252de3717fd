#pragma once

#include <cstddef>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "grid_phases.hpp"
#include "product_phase.hpp"

namespace cubefold {

/// Returns a phase in which every node sends one message to every node that differs from it in one given digit of each
/// axis and in nothing else; radix 1 leaves an axis out. The phase is a WholePhase if the digits are whole coordinates,
/// not all of them powers of two, with extents up to 256, and a ProductPhase otherwise. GridPhase::load_of is empty.
/// Throws and costs what the two do.
CUBEFOLD_API GridPhase digit_phase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                                   ProductPhase::Sharing sharing = ProductPhase::Sharing::yes);

/// Returns digit_phase(...).step_count without building the permutations of a ProductPhase.
std::size_t digit_phase_steps(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                              ProductPhase::Sharing sharing = ProductPhase::Sharing::yes);

/// Returns digits that are the whole coordinate of one axis and leave out all others.
std::vector<Digit> whole_axis(const Grid& grid, int axis);

}  // namespace cubefold
