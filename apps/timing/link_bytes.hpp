#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "cubefold/topology/link_loads.hpp"
#include "program/cli_fwd.hpp"

namespace cubefold::timing {

/// Adds --tie balanced|positive. The tie rule chooses the direction of a message whose destination is equally far in
/// both directions of a ring. `tie` is unchanged unless the user gives the option.
void add_tie_option(CLI::App& app, Tie& tie);

/// Returns the predicted load of each directed link: {from, to, bytes} for all links, with nodes as numbers. Links
/// without load are included. Costs O(links).
nlohmann::ordered_json link_bytes(const Grid& grid, const LinkLoads& messages, std::size_t bytes_per_message);

}  // namespace cubefold::timing
