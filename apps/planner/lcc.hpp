#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold lcc`: contention of linear-complement communication on a hypercube, and the order that makes it least.
void add_lcc(CLI::App& program);

}  // namespace cubefold::planner
