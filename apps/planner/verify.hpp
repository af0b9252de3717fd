#pragma once

#include <CLI/CLI.hpp>

namespace cubefold::planner {

/// `cubefold verify`: computes anew what a certificate of `cubefold map` claims, and replays schedules.
void add_verify(CLI::App& program);

}  // namespace cubefold::planner
