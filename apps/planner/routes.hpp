#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold routes`, which prints the network as a table or JSON, so that other tools can build it.
void add_routes(CLI::App& program);

}  // namespace cubefold::planner
