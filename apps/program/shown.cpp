#include "program/shown.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cubefold::program {

namespace {

unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

/// Returns the number of bytes of the first character. Returns 0 for a control character and for bytes that are not
/// UTF-8.
std::size_t printable_bytes(std::string_view text) {
  const unsigned first = byte_of(text[0]);
  if (first < 0x80) return first < 0x20 || first == 0x7f ? 0 : 1;
  const std::size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size == 0 || text.size() < size) return 0;
  const auto follows = [](char c) { return byte_of(c) >= 0x80 && byte_of(c) < 0xc0; };
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(size), follows)) return 0;
  // Smaller second bytes are overlong forms of other characters, or the terminal controls U+0080 to U+009F.
  const unsigned second = byte_of(text[1]);
  const bool is_bare = (first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
                       (first == 0xf0 && second < 0x90);
  return is_bare ? 0 : size;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes == 0) {
      result += fmt::format("\\x{:02x}", byte_of(text[0]));
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

}  // namespace

std::string shown(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return printable(text);
  const std::size_t end_bytes = most_bytes / 4;
  return printable(text.substr(0, most_bytes - end_bytes)) + "..." +
         printable(text.substr(text.size() - end_bytes));
}

}  // namespace cubefold::program
