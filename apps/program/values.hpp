#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/names/known_names.hpp"

/// The values of options: how they are read, and what is said of those that do not fit.
namespace cubefold::program {

/// Decimal digits below 2^64, or nothing.
std::optional<std::uint64_t> whole_number_in(std::string_view text);

/// The same, or a power as 2^20.
std::optional<std::uint64_t> power_in(std::string_view text);

/// Checks of numbers for CLI11, which has no messages for people: both bounds belong to the range.
CLI::Validator whole_number(std::uint64_t lowest,
                            std::uint64_t highest = std::numeric_limits<std::uint64_t>::max());
CLI::Validator number(double lowest, double highest = std::numeric_limits<double>::max());

/// As whole_number(), and powers as 2^20.
CLI::Validator whole_number_or_power(std::uint64_t lowest, std::uint64_t highest);

/// Any number above 0, as 1e9, for an option that counts: the nearest whole number from 1 to 2^64 - 1.
CLI::Validator positive_number();

/// Bytes, with units of 1024: 4096, 8KiB, 1MiB.
CLI::Validator size_in_bytes();

/// What parse() throws about the value passes, and so comes before any complaint of what is missing.
template <typename Parse>
CLI::Validator read_by(Parse parse) {
  return CLI::Validator(
      [parse](std::string& text) {
        parse(text);
        return std::string();
      },
      "");
}

/// The value of that name, of pairs of names and values. Throws std::invalid_argument with the kind of name, the
/// nearest and all of them.
template <typename Names>
auto value_named(std::string_view kind, std::string_view text, const Names& names) {
  std::vector<std::string_view> known;
  for (const auto& [name, value] : names) {
    if (text == name) return value;
    known.push_back(name);
  }
  throw std::invalid_argument(unknown_name(kind, text, known));
}

/// An option whose value is what parse() makes of its text, or with Text = std::vector<std::string> of all its texts.
/// What parse() throws as std::invalid_argument is an error of the option.
template <typename Text = std::string, typename Value, typename Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& option, Value& value, Parse parse,
                        const std::string& help) {
  const auto read = [option, &value, parse](const Text& text) {
    try {
      value = parse(text);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError(option, error.what());
    }
  };
  return app.add_option_function<Text>(option, read, help);
}

}  // namespace cubefold::program
