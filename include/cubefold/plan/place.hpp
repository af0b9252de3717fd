#pragma once

#include <string_view>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns the placement that a text names on a grid. For `auto:PHASE+PHASE`, it is the one that choose_placement()
/// finds for the phases that parse_phases() reads; if all extents are powers of two, only rules are searched. Any other
/// text is read by parse_placement(). The result is the same on every process, and its rule does not contain `auto`.
/// Throws std::invalid_argument as these functions do.
CUBEFOLD_API Placement place(const Grid& grid, std::string_view text);

}  // namespace cubefold
