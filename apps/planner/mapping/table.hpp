#pragma once

#include <string>

#include "planner/mapping/answer.hpp"

namespace cubefold::planner {

/// The answer for people: a column for each order, the placement to paste, and how far it is from the bound.
std::string table_text(const MapAnswer& answer);

}  // namespace cubefold::planner
