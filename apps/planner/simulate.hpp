#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold simulate`: what an algorithm costs on a network, step by step.
void add_simulate(CLI::App& program);

}  // namespace cubefold::planner
