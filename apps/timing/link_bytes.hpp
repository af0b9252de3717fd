#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "cubefold/topology/link_loads.hpp"
#include "program/cli_fwd.hpp"

namespace cubefold::timing {

/// --tie balanced|positive: which way round a ring the network sends what is as far either way. Leaves
/// the tie as it is unless the user names one.
void add_tie_option(CLI::App& app, Tie& tie);

/// What each directed link of the grid is predicted to carry: {from, to, bytes} for all links, nodes by number, those
/// without load included. O(links).
nlohmann::ordered_json link_bytes(const Grid& grid, const LinkLoads& messages, std::size_t bytes_per_message);

}  // namespace cubefold::timing
