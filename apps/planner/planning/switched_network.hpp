#pragma once

#include <optional>
#include <string>

namespace cubefold::planner {

/// Returns the sentence why nothing is to be gained on the network that a text such as `fat-tree:4x8`, `dragonfly` or
/// `switch:16` names, or nothing if the text is no such name. These networks are no grids: parse_grid() does not know
/// them. What follows a colon does not matter.
std::optional<std::string> nothing_to_gain(const std::string& network);

/// Accepts what parse_grid() or nothing_to_gain() knows. Throws as parse_grid() does.
void check_grid_or_switched(const std::string& network);

}  // namespace cubefold::planner
