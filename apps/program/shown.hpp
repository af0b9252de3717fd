#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubefold::program {

/// A text that somebody else wrote, as it can be printed on one line: what is no UTF-8 and what a terminal would obey
/// is written as \x1b, and of more than `most_bytes` only the beginning and the end are left, with ... between.
std::string shown(std::string_view text, std::size_t most_bytes = 60);

}  // namespace cubefold::program
