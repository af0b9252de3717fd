#pragma once

#include <cstdint>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/route.hpp"
#include "exchange_parts.hpp"
#include "product_phase.hpp"

namespace cubefold {

/// Describes a phase of a mixed-radix exchange: the digit of each axis in which blocks reach their destination's value.
/// Radix 1 leaves an axis out.
struct RadixPhase {
  std::vector<Digit> digits;
  ProductPhase::Sharing sharing = ProductPhase::Sharing::yes;

  bool operator==(const RadixPhase&) const = default;
};

/// Returns phases for digits of radix s_1, s_2, ... of every axis, coarse to fine, with all axes in the same phases.
/// With L_1 = n and L_{j+1} = L_j / s_j, phase j has period L_j. An axis whose digits are all used is left out. Throws
/// std::invalid_argument unless every extent is the product of the first radices, the last of which may be cut to what
/// remains. Source: [Calmant] section 5.
CUBEFOLD_API std::vector<RadixPhase> coarse_to_fine(const Grid& grid,
                                                    const std::vector<std::uint32_t>& radices);

/// These functions return members of the family that [Calmant] section 5 compares with. We have not had the papers that
/// define them. They throw std::invalid_argument unless all extents are powers of two.
///
/// - binary: recursive halving, one axis after the other at every level, coarse to fine.
/// - quadrant: radix 2 on all axes at once, coarse to fine; a node meets its 2^c - 1 partners one after the other.
/// - modified_quadrant: the phases of quadrant, but interleaved groups meet different partners in the same steps.
/// - cyclic: radix 2, fine to coarse, one axis after the other: the order of the CC-cube exchange under cyclic
///   standard.
/// - hybrid: the coarsest digit of radix s on all axes at once, then radix 2 as in modified_quadrant.
CUBEFOLD_API std::vector<RadixPhase> binary_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> quadrant_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> modified_quadrant_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> cyclic_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> hybrid_phases(const Grid& grid, std::uint32_t radix);

/// Returns the phase of the direct exchange: the whole coordinates of all axes.
CUBEFOLD_API RadixPhase whole_digits(const Grid& grid);

/// Returns one phase for each axis of more than one node, with its whole coordinate. A node exchanges only with the
/// other nodes of its lines.
CUBEFOLD_API std::vector<RadixPhase> axis_phases(const Grid& grid);

/// Returns a complete exchange in phases. Each phase is a digit_phase() and moves only blocks that were at a node
/// before the phase. A message carries the p / (product of the phase's radices) blocks that have to change the phase's
/// digits as the message does. No two messages of a step conflict. With equal extents n and radix s at period L on all
/// c axes, a phase takes max(L s^c / 4, s^c - 1) steps if s is 2 or a multiple of 4, and L s^c / 4 with all ports. With
/// period L = n on rings it takes half of the first term, or (s^c - 1) L / 4 steps for s = 4 < L. Keeps a reference to
/// the placement. Throws std::invalid_argument unless the digits of every axis, in some order, make up its extent, each
/// once. The whole and a part cost O(blocks moved).
CUBEFOLD_API ExchangeParts mixed_radix_parts(const Placement& placement,
                                             const std::vector<RadixPhase>& phases, Ports ports, Tie tie);

/// Returns the cost of the exchange of mixed_radix_parts(). Requires a grid without a route table. Costs what
/// digit_phase_steps() costs for each phase, and throws what mixed_radix_parts() throws.
CUBEFOLD_API ExchangeCost mixed_radix_cost(const Grid& grid, const std::vector<RadixPhase>& phases,
                                           Ports ports, Tie tie);

}  // namespace cubefold
