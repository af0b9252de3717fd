#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold wormhole`: latency against throughput of a pattern on a wormhole network, by simulation.
void add_wormhole(CLI::App& program);

}  // namespace cubefold::planner
