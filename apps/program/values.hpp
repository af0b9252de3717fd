#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/known_names.hpp"

/// This namespace has readers and checks of option values, among others.
namespace cubefold::program {

/// Returns the value of decimal digits below 2^64, or nothing.
std::optional<std::uint64_t> whole_number_in(std::string_view text);

/// Returns the value of decimal digits, or of a power such as 2^20. Returns nothing for other texts, and for values
/// above 2^64 - 1.
std::optional<std::uint64_t> power_in(std::string_view text);

/// Parses `128x128x128`, `1000` or `2^20`, with the slowest dimension first. Throws std::invalid_argument for other
/// texts.
std::vector<std::size_t> parse_lengths(const std::string& text);

/// Checks that a number is in lowest .. highest. CLI11's own checks have no messages for users.
CLI::Validator whole_number(std::uint64_t lowest,
                            std::uint64_t highest = std::numeric_limits<std::uint64_t>::max());
CLI::Validator number(double lowest, double highest = std::numeric_limits<double>::max());

/// Checks that a whole number, or a power such as 2^20, is in lowest .. highest.
CLI::Validator whole_number_or_power(std::uint64_t lowest, std::uint64_t highest);

/// Accepts any number above 0, such as 1e9, for an option that is a count. The value is the nearest whole number from 1
/// to 2^64 - 1.
CLI::Validator positive_number();

/// Accepts a number of bytes, also with units that are powers of 1024, such as 4096, 8KiB or 1MiB.
CLI::Validator size_in_bytes();

/// Checks a value by parse(). Its errors come before any error about missing options.
template <typename Parse>
CLI::Validator read_by(Parse parse) {
  return CLI::Validator(
      [parse](std::string& text) {
        parse(text);
        return std::string();
      },
      "");
}

/// Returns the value that has the name `text`, from pairs of names and values. Throws std::invalid_argument with the
/// kind of name, the nearest name and all names if there is no such name.
template <typename Names>
auto value_named(std::string_view kind, std::string_view text, const Names& names) {
  std::vector<std::string_view> known;
  for (const auto& [name, value] : names) {
    if (text == name) return value;
    known.push_back(name);
  }
  throw std::invalid_argument(unknown_name(kind, text, known));
}

/// Adds an option whose value is parse() of its text, or of all its texts if Text is std::vector<std::string>. A
/// std::invalid_argument of parse() is an error of the option.
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
