#pragma once

#include <span>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// The measured or predicted load of every link of a grid.
struct Loads {
  std::string placement;       ///< empty if it is unknown
  std::string noun;            ///< `messages` or `bytes`
  std::vector<double> values;  ///< by link_index()
};

/// Returns the messages on every link if all ranks exchange with their neighbours in all cube dimensions at once.
/// Throws std::invalid_argument unless the number of ranks is a power of two.
Loads loads_of_all_dimensions(const Placement& placement, Tie tie);

/// Returns the messages of all phases on every link, each times the weight of its phase. Throws std::invalid_argument
/// for a phase of more ranks than the placement has.
Loads loads_of_phases(const Placement& placement, std::span<const Phase> phases, Tie tie);

/// Reads loads from JSON with the keys `grid`, `links` (from, to, and bytes or messages) and optionally `placement`.
/// Links that are not listed have no load. Throws std::runtime_error with the path for text that is not JSON or not of
/// this form, for another grid, for a link that does not exist or is listed twice, for a negative load, and for a
/// mixture of messages and bytes.
Loads read_loads(const std::string& path, const Grid& grid);

}  // namespace cubefold::planner
