#pragma once

#include <span>
#include <string>
#include <vector>

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

/// Returns the load of every link, by link_index(): the messages of all phases, each times the weight of its phase and
/// over the rate of the link. Messages between ranks of one node load no link. Throws std::invalid_argument for a phase
/// of more ranks than there are nodes of ranks.
std::vector<double> loads_of_phases(const Grid& grid, std::span<const GridNode> node_of_rank,
                                    std::span<const Phase> phases, Tie tie);

/// Reads loads from JSON with the keys `grid`, `links` (from, to, and bytes or messages) and optionally `placement`.
/// Links that are not listed have no load. Throws std::runtime_error with the path for text that is not JSON or not of
/// this form, for another grid, for a link that does not exist or is listed twice, for a negative load, and for a
/// mixture of messages and bytes.
Loads read_loads(const std::string& path, const Grid& grid);

}  // namespace cubefold::planner
