#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Reads the names of phases in certificates. Throws std::invalid_argument with the rule that a text breaks.
namespace cubefold::planner {

/// The parts of `NAME` or `NAME:ARGUMENT`.
struct NameAndArgument {
  std::string name;
  std::optional<std::string> argument;
};

NameAndArgument name_and_argument(const std::string& text);

/// Returns the parts of a text between separators. A text without separators is one part.
std::vector<std::string> parts_of(const std::string& text, char separator);

/// Returns a number of at most nine digits.
std::size_t number_of(const std::string& text);

/// Returns A and B of `AxB`.
std::pair<std::size_t, std::size_t> rows_and_columns(const std::string& text);

}  // namespace cubefold::planner
