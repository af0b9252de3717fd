#pragma once

#include <cstdint>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"
#include "product_phase.hpp"

namespace cubefold {

/// A phase of a mixed-radix exchange: which digit of each axis it brings home (radix 1: none).
struct RadixPhase {
  std::vector<Digit> digits;
  ProductPhase::Sharing sharing = ProductPhase::Sharing::yes;

  bool operator==(const RadixPhase&) const = default;
};

/// Digits of radix s_1, s_2, ... of every axis, coarse to fine, all axes in the same phases: with L_1 = n, L_{j+1} =
/// L_j / s_j, phase j has period L_j. An axis that is used up is left out. Throws std::invalid_argument unless every
/// extent is the product of the first radices, each maybe not in full. Source: [Calmant] section 5.
CUBEFOLD_API std::vector<RadixPhase> coarse_to_fine(const Grid& grid,
                                                    const std::vector<std::uint32_t>& radices);

/// Members of the family that [Calmant] section 5 compares with; their
/// own papers were not to be had. They need extents that are powers of two.
///
/// binary: recursive halving, one axis after the other at every level, coarse to fine.
/// quadrant: radix 2 on all axes at once, coarse to fine; its 2^c - 1 partners one after the other.
/// modified_quadrant: the same, with different partners of interleaved groups in the same steps.
/// cyclic: radix 2, fine to coarse, one axis after the other: the order of the CC-cube exchange under cyclic standard.
/// hybrid: one digit of radix s on all axes at once, the coarsest, then radix 2 as modified_quadrant.
CUBEFOLD_API std::vector<RadixPhase> binary_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> quadrant_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> modified_quadrant_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> cyclic_phases(const Grid& grid);
CUBEFOLD_API std::vector<RadixPhase> hybrid_phases(const Grid& grid, std::uint32_t radix);

/// Whole coordinates of all axes in one phase: the direct exchange.
CUBEFOLD_API RadixPhase whole_phase(const Grid& grid);

/// One phase for each axis, with its whole coordinate: a node talks to the others on its lines only.
CUBEFOLD_API std::vector<RadixPhase> axis_phases(const Grid& grid);

/// Complete exchange in phases, each of which is a ProductPhase and carries what was there before it: a message with
/// the blocks that have to change the phase's digits so, p / (product of its radices) of them. No conflicts. Equal
/// extents n and radix s at period L on all c axes: max(L s^c / 4, s^c - 1) steps if s is 2 or a multiple of 4, with
/// all ports L s^c / 4; in a period of L = n all round rings half of the first term, or (s^c - 1) L / 4 steps for s = 4
/// < L. Throws std::invalid_argument unless every axis is brought home by its digits in some order, each once. O(blocks
/// moved) for the whole, and for a part.
CUBEFOLD_API Schedule mixed_radix_exchange(const Placement& placement, const std::vector<RadixPhase>& phases,
                                           Ports ports, Tie tie);

/// part_of(mixed_radix_exchange(...), rank), in other order within a step. Throws std::invalid_argument as above, and
/// for a rank that the placement does not have.
CUBEFOLD_API Schedule mixed_radix_exchange_part(const Placement& placement,
                                                const std::vector<RadixPhase>& phases, Ports ports, Tie tie,
                                                Rank rank);

/// What mixed_radix_exchange() costs on the grid. O(product of the radices of each phase), and permutation_shapes() of
/// each digit. Throws as above.
CUBEFOLD_API ExchangeCost mixed_radix_exchange_cost(const Grid& grid, const std::vector<RadixPhase>& phases,
                                                    Ports ports, Tie tie);

}  // namespace cubefold
