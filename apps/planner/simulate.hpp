#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold simulate`, which computes the time of an algorithm on a network, step by step.
void add_simulate(CLI::App& program);

}  // namespace cubefold::planner
