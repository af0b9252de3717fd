#include "program/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace cubefold::program {

namespace {

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> unit_in(std::string_view text) {
  constexpr std::string_view letters = "kmgtpe";
  if (text.empty() || text == "b") return 1;
  const auto power = letters.find(text.front());
  text.remove_prefix(1);
  if (power == std::string_view::npos || !(text.empty() || text == "b" || text == "i" || text == "ib")) {
    return std::nullopt;
  }
  return std::uint64_t{1} << (10 * (power + 1));
}

std::optional<std::uint64_t> bytes_in(const std::string& text) {
  const auto end_of_digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = whole_number_in(std::string_view(text).substr(0, end_of_digits));
  const auto begin_of_unit = std::min(text.find_first_not_of(' ', end_of_digits), text.size());
  const auto unit = unit_in(CLI::detail::to_lower(text.substr(begin_of_unit)));
  std::uint64_t bytes = 0;
  if (!count || !unit || __builtin_mul_overflow(*count, *unit, &bytes)) return std::nullopt;
  return bytes;
}

std::optional<std::uint64_t> count_in(std::string_view text) {
  const auto number = number_in(text);
  if (!number || *number <= 0) return std::nullopt;
  constexpr double too_large = 0x1p64;
  return *number >= too_large ? std::numeric_limits<std::uint64_t>::max()
                              : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(*number));
}

template <typename Number>
std::string range_text(Number lowest, Number highest) {
  if (highest == std::numeric_limits<Number>::max()) return fmt::format("from {} up", lowest);
  return fmt::format("from {} to {}", lowest, highest);
}

using ReadCount = std::function<std::optional<std::uint64_t>(const std::string&)>;

ReadCount within(const ReadCount& read, std::uint64_t lowest, std::uint64_t highest) {
  return [=](const std::string& text) {
    const auto value = read(text);
    return value && *value >= lowest && *value <= highest ? value : std::nullopt;
  };
}

/// Replaces a text with the decimal digits of the value that read() returns, because CLI11 reads digits. If read()
/// returns nothing, the error message says that the text is not `rule`.
CLI::Validator digits_of(ReadCount read, std::string rule) {
  return {[read = std::move(read), rule = std::move(rule)](std::string& text) {
            const auto value = read(text);
            if (!value) return fmt::format("'{}' is not {}", text, rule);
            text = std::to_string(*value);
            return std::string();
          },
          ""};
}

}  // namespace

std::optional<std::uint64_t> whole_number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> power_in(std::string_view text) {
  const auto caret = text.find('^');
  if (caret == std::string_view::npos) return whole_number_in(text);
  const auto base = whole_number_in(text.substr(0, caret));
  const auto exponent = whole_number_in(text.substr(caret + 1));
  if (!base || !exponent || *exponent > 64) return std::nullopt;
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < *exponent; ++i) {
    if (__builtin_mul_overflow(power, *base, &power)) return std::nullopt;
  }
  return power;
}

std::vector<std::size_t> parse_lengths(const std::string& text) {
  constexpr std::size_t most_dimensions = 3;
  std::vector<std::size_t> lengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto length = power_in(std::string_view(text).substr(begin, end - begin));
    if (length.value_or(0) == 0 || lengths.size() == most_dimensions) {
      throw std::invalid_argument(
          fmt::format("'{}' is not one to three lengths, as 2^20 or 128x128x128", text));
    }
    lengths.push_back(*length);
    begin = end + 1;
  }
  return lengths;
}

CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
  return digits_of(within(whole_number_in, lowest, highest), "a whole number " + range_text(lowest, highest));
}

CLI::Validator whole_number_or_power(std::uint64_t lowest, std::uint64_t highest) {
  return digits_of(within(power_in, lowest, highest),
                   fmt::format("a whole number {}, as 65536 or 2^16", range_text(lowest, highest)));
}

CLI::Validator positive_number() {
  return digits_of(count_in, "a positive number");
}

CLI::Validator size_in_bytes() {
  return digits_of(bytes_in, "a number of bytes, as 4096, 8KiB or 1MiB");
}

CLI::Validator number(double lowest, double highest) {
  return {[=](std::string& text) {
            const auto value = number_in(text);
            if (value && *value >= lowest && *value <= highest) return std::string();
            return fmt::format("'{}' is not a number {}", text, range_text(lowest, highest));
          },
          ""};
}

}  // namespace cubefold::program
