#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// `cubefold map`: which rank should sit on which node, with a certificate, and the launcher's file that says so.
void add_map(CLI::App& program);

}  // namespace cubefold::planner
