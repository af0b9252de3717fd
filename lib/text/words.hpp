#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Returns the text without blanks at its ends.
CUBEFOLD_API std::string_view trimmed(std::string_view text);

/// Returns the words of a line, which blanks separate.
CUBEFOLD_API std::vector<std::string_view> words_of_line(std::string_view line);

/// Returns the parts of a text between the separators. There is one part more than there are separators.
CUBEFOLD_API std::vector<std::string_view> split(std::string_view text, char separator);

/// Returns the number if the text consists of decimal digits alone and the number is below 2^32.
std::optional<std::uint32_t> whole_number(std::string_view text);

/// Returns the number if the text consists of hexadecimal digits, with or without `0x` before them, and the number is
/// below 2^64.
std::optional<std::uint64_t> hexadecimal_number(std::string_view text);

/// Removes the first line from the text and returns it, without the characters that end it. Requires a text that is not
/// empty.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Calls take(number, line) for every line of a text, without the characters that end it. The first line has number 1.
template <typename Take>
void for_each_line(std::string_view text, Take&& take) {
  for (std::size_t number = 1; !text.empty(); ++number) take(number, take_line(text));
}

}  // namespace cubefold
