#pragma once

#include <optional>
#include <span>
#include <stdexcept>
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

/// Returns the value whose to_string() is `text`. Throws std::invalid_argument with unknown_name() if there is none
/// among the given values of an enumeration.
template <typename Value>
Value enumerator_named(std::string_view kind, std::string_view text, std::span<const Value> values) {
  std::vector<std::string_view> known;
  for (const Value value : values) {
    if (to_string(value) == text) return value;
    known.push_back(to_string(value));
  }
  throw std::invalid_argument(unknown_name(kind, text, known));
}

}  // namespace cubefold
