#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// The known name that was probably meant by `name`, which is none of them: the one with the fewest letters left out,
/// put in, exchanged for another or with their neighbour, if they are at most a third of the shorter name's, but one at
/// least; or else the only one that begins with `name`, of two letters or more. Capitals count as small letters.
/// O(letters of all).
CUBEFOLD_API std::optional<std::string_view> nearest_name(std::string_view name,
                                                          const std::vector<std::string_view>& known);

/// `unknown tie 'balancd'; did you mean 'balanced'? known: positive, balanced`, or the same without a guess.
CUBEFOLD_API std::string unknown_name(std::string_view kind, std::string_view name,
                                      const std::vector<std::string_view>& known);

}  // namespace cubefold
