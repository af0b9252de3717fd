#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold draw`, which draws the grid with its ranks and the loads of its links as SVG.
void add_draw(CLI::App& program);

}  // namespace cubefold::planner
