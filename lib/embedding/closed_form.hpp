#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cube_loads.hpp"
#include "cubefold/embedding/dilation.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

/// The metrics without enumeration, for placements with `standard` or `xor` on every axis, any bit assignment and any
/// order: what the functions of the same names in cubefold give, in O(d axes). All that take a placement throw
/// std::invalid_argument for other embeddings and for grids whose extents are no powers of two.
///
/// Cube links lie on one axis each, so grids follow from their axes. With q bits on an axis:
///
/// | axis      | D of the top bit         | node load, most         | least           | busiest link at once |
/// |-----------|--------------------------|-------------------------|-----------------|----------------------|
/// | line      | 2^(q-1)                  | nu(q)                   | q               | sigma(q)             |
/// | line, xor | half 2^(q-2), half 3 * that | nu(q)                | q               | sigma(q)             |
/// | ring      | 2^(q-1)                  | nu(q-1) + 2^(q-2) + 1   | q - 1 + 2^(q-2) | sigma(q-1) + tie     |
/// | ring, xor | 2^(q-2)                  | nu(q-2) + 2^(q-2) + 1   | q - 1 + 2^(q-2) | floor(5 * 2^q / 12)  |
///
/// Other bits have D = 2^position. sigma(q) = floor((2^(q+1) - 1) / 3), nu(q) = sigma(q) + floor(q/2), and tie is
/// 2^(q-1) if ties are positive, 2^(q-2) if balanced; a wrapped axis of q = 1 is a line, and one of q = 2 a ring with
/// nu(0) = 0. Sources: [Xor] section 4 for distances and for node loads of rings, [Calmant] theorem 1 for links of
/// lines; the others are ours. Tests enumerate all of them.
namespace cubefold::closed_form {

/// Whether the functions below take the placement: standard or xor on every axis, and extents that are powers of two.
CUBEFOLD_API bool applies_to(const Placement& placement);

CUBEFOLD_API DilationSpectrum dilation_spectrum(const Placement& placement);

CUBEFOLD_API std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement);

CUBEFOLD_API NodeLoad node_load(const Placement& placement);

/// Of one dimension by itself. Throws std::invalid_argument if there is no such dimension.
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, int dimension, Tie tie);

/// Of all dimensions at once.
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, Tie tie);

/// Messages on the busiest link if every node n sends one to node (n + offset) mod nodes, on grids of any extents.
/// All nodes of one line of an axis send equally far up, with the offset's digit a on that axis, or a + 1 where the
/// axes before carry. The busiest link of the line, of k nodes, carries min(a, k - a) of them; on a ring with balanced
/// ties and a = k / 2 half as many, rounded up. O(axes). Ours.
CUBEFOLD_API std::uint64_t busiest_link_of_shift(const Grid& grid, std::uint64_t offset, Tie tie);

/// t_c times the sum of distances + d t_a; nothing where distances are not constant.
CUBEFOLD_API std::optional<double> cc_cube_seconds(const Placement& placement, const StageCosts& costs);

}  // namespace cubefold::closed_form
