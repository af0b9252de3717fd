#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns the rule that these axes break, or nothing if they are those of a grid.
std::optional<std::string> problem_of(const std::vector<Axis>& axes);

}  // namespace cubefold
