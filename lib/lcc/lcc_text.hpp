#pragma once

#include <string>
#include <string_view>

#include "cubefold/export.h"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Reads A and b, one row per line: n characters 0 or 1, where column j stands for x_j, then optionally blanks and the
/// bit b_i. `#` begins a comment, and empty lines do not count. The word `scatter` before the rows selects x = A y + b.
///
///     scatter
///     0100 0     # x_0 = y_1
///     0000 0
///     0001 0
///     0000 1     # x_3 = 1
///
/// Throws std::invalid_argument with the number of the line and the rule it breaks.
CUBEFOLD_API Lcc parse_lcc(std::string_view text);

/// Returns the text that parse_lcc() reads back as the same communication.
CUBEFOLD_API std::string to_string(const Lcc& lcc);

}  // namespace cubefold
