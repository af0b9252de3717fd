#pragma once

#include <cstdint>
#include <optional>

#include "axis_pattern.hpp"

namespace cubefold {

/// Holds one pattern as text. `groups` lists groups as `2/5*3`: three groups of two messages in five classes. `classes`
/// has a word for each source with a character for each destination: the number of the class, counted through all
/// groups, in the alphabet 0-9 A-Z a-z + -.
struct AxisTable {
  std::uint32_t extent;
  Ends ends;
  std::optional<Tie> tie;  ///< empty if there are no ties
  PatternKind kind;
  const char* groups;
  const char* classes;
};

/// Returns the table of an axis, or null if there is none.
const AxisTable* axis_table(const Axis& axis, Tie tie, PatternKind kind);

}  // namespace cubefold
