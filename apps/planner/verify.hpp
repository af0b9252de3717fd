#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold verify`, which computes the claims of a certificate of `cubefold map` again, and replays schedules.
void add_verify(CLI::App& program);

}  // namespace cubefold::planner
