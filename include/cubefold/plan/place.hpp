#pragma once

#include <string_view>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The placement that a text names on a grid: `auto:PHASE+PHASE` the one that choose_placement() finds best for phases
/// as parse_phases() reads them, among rules only where all extents are powers of two; anything else as
/// parse_placement() reads it. The rule of the result is spelled out, and is the same wherever it is computed. Throws
/// std::invalid_argument as those do.
CUBEFOLD_API Placement place(const Grid& grid, std::string_view text);

}  // namespace cubefold
