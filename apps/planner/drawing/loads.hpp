#pragma once

#include <span>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// What every link of a grid carries, measured or predicted.
struct Loads {
  std::string placement;       ///< empty if nobody said
  std::string noun;            ///< messages or bytes
  std::vector<double> values;  ///< by link_index()
};

/// The messages of all ranks exchanging with their neighbours in all cube dimensions at once. Throws
/// std::invalid_argument unless the number of ranks is a power of two.
Loads loads_of_all_dimensions(const Placement& placement, Tie tie);

/// The messages of all phases at once, each times the weight of its phase. Throws std::invalid_argument for a phase of
/// more ranks than the placement has.
Loads loads_of_phases(const Placement& placement, std::span<const Phase> phases, Tie tie);

/// Reads JSON with the keys grid, links (from, to, and bytes or messages) and perhaps placement. Links that are not
/// listed carry nothing. Throws std::runtime_error, with the path, for text that is not JSON or not of this form,
/// another grid, a link that does not exist or comes twice, a load that is negative, and messages beside bytes.
Loads read_loads(const std::string& path, const Grid& grid);

}  // namespace cubefold::planner
