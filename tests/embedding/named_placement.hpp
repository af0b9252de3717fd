#pragma once

#include <string>

#include "cubefold/embedding/placement.hpp"

namespace cubefold {

inline Placement placement(const std::string& grid, const std::string& rule) {
  return {parse_grid(grid), parse_placement(rule)};
}

}  // namespace cubefold
