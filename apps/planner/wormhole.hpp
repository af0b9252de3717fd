#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold wormhole`, which simulates latency and throughput of a pattern on a wormhole network.
void add_wormhole(CLI::App& program);

}  // namespace cubefold::planner
