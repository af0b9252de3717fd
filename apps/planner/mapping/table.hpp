#pragma once

#include <string>

#include "planner/mapping/answer.hpp"

namespace cubefold::planner {

/// Returns the answer as a table for people. It has a column for each order, the placement, and its distance from the
/// lower bound.
std::string table_text(const MapAnswer& answer);

}  // namespace cubefold::planner
