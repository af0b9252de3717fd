#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubefold::program {

/// Returns a text from outside as one printable line. Bytes that are not UTF-8 and control characters are written as
/// \x1b is. If the text is longer than `most_bytes`, only its beginning and its end are left, with ... between.
std::string shown(std::string_view text, std::size_t most_bytes = 60);

}  // namespace cubefold::program
