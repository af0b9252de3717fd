#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold plan`: the ways to do a complete exchange compared, and the schedule of the best.
void add_plan(CLI::App& program);

}  // namespace cubefold::planner
