#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold map`, which finds a placement for the phases of a program and writes a certificate and a launcher's
/// file.
void add_map(CLI::App& program);

}  // namespace cubefold::planner
