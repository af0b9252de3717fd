#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cube_loads.hpp"
#include "cubefold/embedding/dilation.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

/// These functions compute metrics without enumeration, for placements with `identity`, `standard` or `xor` on every
/// axis, any bit assignment and any order. They return what the functions of the same names in cubefold return, and
/// cost O(d axes). All functions of a placement but applies_to() throw std::invalid_argument for other embeddings, for
/// tables of nodes and for grids whose extents are no powers of two.
///
/// Each cube link lies on one axis, so the values of a grid follow from those of its axes. With q bits on an axis, the
/// distance D between neighbours, and the busiest link when all dimensions exchange at once:
///
/// | axis      | D of the top bit             | busiest link at once |
/// |-----------|------------------------------|----------------------|
/// | line      | 2^(q-1)                      | sigma(q)             |
/// | line, xor | half 2^(q-2), half 3 * that  | sigma(q)             |
/// | ring      | 2^(q-1)                      | sigma(q-1) + tie     |
/// | ring, xor | 2^(q-2)                      | floor(5 * 2^q / 12)  |
///
/// Other bits have D = 2^position. sigma(q) = floor((2^(q+1) - 1) / 3), and tie is 2^(q-1) if ties are positive,
/// 2^(q-2) if they are balanced. A wrapped axis with q = 1 is a line. Sources: [Xor] section 4 for distances, [Calmant]
/// theorem 1 for links of lines; the other formulas are our own. Tests check all of them by enumeration.
namespace cubefold::closed_form {

/// Returns whether the functions of this namespace accept the placement: `identity`, `standard` or `xor` on every axis,
/// and extents that are powers of two.
CUBEFOLD_API bool applies_to(const Placement& placement);

CUBEFOLD_API DilationSpectrum dilation_spectrum(const Placement& placement);

CUBEFOLD_API std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement);

/// Returns the number of messages on the busiest link if the ranks exchange in one dimension. Throws
/// std::invalid_argument if there is no such dimension.
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, int dimension, Tie tie);

/// Returns the number of messages on the busiest link if the ranks exchange in all dimensions at once.
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, Tie tie);

/// Returns the number of messages on the busiest link if every node n sends one message to node (n + offset) mod nodes,
/// on grids of any extents. All nodes of one line of an axis send equally far up: by the offset's digit a on that axis,
/// or by a + 1 if the axes before it carry. The busiest link of a line of k nodes carries min(a, k - a) messages; on a
/// ring with balanced ties and a = k / 2 it carries half as many, rounded up. Costs O(axes). The formula is our own.
CUBEFOLD_API std::uint64_t busiest_link_of_shift(const Grid& grid, std::uint64_t offset, Tie tie);

/// Returns t_c times the sum of distances + d t_a, or nothing if a dimension has no constant distance.
CUBEFOLD_API std::optional<double> cc_cube_seconds(const Placement& placement, const StageCosts& costs);

}  // namespace cubefold::closed_form
