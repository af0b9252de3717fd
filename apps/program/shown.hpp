#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubefold::program {

/// Returns a text from outside as one printable line. Control characters and bytes that are not UTF-8 are written in
/// the form \x1b. If the text is longer than `most_bytes`, only its beginning and its end are left, with ... between.
std::string shown(std::string_view text, std::size_t most_bytes = 60);

}  // namespace cubefold::program
