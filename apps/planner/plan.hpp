#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold plan`, which compares methods of the complete exchange and writes the schedule of the best.
void add_plan(CLI::App& program);

}  // namespace cubefold::planner
