#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold routes`: the network as a table or JSON, for whoever rebuilds it elsewhere.
void add_routes(CLI::App& program);

}  // namespace cubefold::planner
