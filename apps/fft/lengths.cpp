#include "fft/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cubefold::fft_program {

namespace {

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// `1000` or `2^20`.
std::optional<std::size_t> length_in(std::string_view text) {
  const auto caret = text.find('^');
  if (caret == std::string_view::npos) return number_in(text);
  const auto base = number_in(text.substr(0, caret));
  const auto exponent = number_in(text.substr(caret + 1));
  if (!base || !exponent || *exponent > 64) return std::nullopt;
  std::size_t length = 1;
  for (std::size_t i = 0; i < *exponent; ++i) {
    if (__builtin_mul_overflow(length, *base, &length)) return std::nullopt;
  }
  return length;
}

}  // namespace

std::vector<std::size_t> parse_lengths(const std::string& text) {
  constexpr std::size_t most_dimensions = 3;
  std::vector<std::size_t> lengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto length = length_in(std::string_view(text).substr(begin, end - begin));
    if (!length || lengths.size() == most_dimensions) {
      throw std::invalid_argument(
          fmt::format("--lengths: '{}' is not one to three lengths, as 2^20 or 128x128x128", text));
    }
    lengths.push_back(*length);
    begin = end + 1;
  }
  return lengths;
}

}  // namespace cubefold::fft_program
