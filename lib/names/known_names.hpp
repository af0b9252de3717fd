#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Returns the known name that was probably meant by `name`, which is none of them. That is the name with the fewest
/// changes: letters left out, put in, replaced, or swapped with their neighbour. One change is always allowed, and
/// otherwise at most a third as many as the shorter name has letters. If no name is that near, it is the only known
/// name that begins with `name`, if `name` has two letters or more. Capitals count as small letters. Returns nothing in
/// all other cases, and if `name` has more than 64 letters. Costs O(letters of `name` * letters of all known names).
CUBEFOLD_API std::optional<std::string_view> nearest_name(std::string_view name,
                                                          const std::vector<std::string_view>& known);

/// Returns `unknown tie 'balancd'; did you mean 'balanced'? known: positive, balanced`, or the same text without the
/// question if nearest_name() finds nothing.
CUBEFOLD_API std::string unknown_name(std::string_view kind, std::string_view name,
                                      const std::vector<std::string_view>& known);

}  // namespace cubefold
