#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold lcc`, which computes the contention of linear-complement communication on a hypercube and its best
/// order.
void add_lcc(CLI::App& program);

}  // namespace cubefold::planner
