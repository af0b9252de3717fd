#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold verify`: computes anew what a certificate of `cubefold map` claims, and replays schedules.
void add_verify(CLI::App& program);

}  // namespace cubefold::planner
