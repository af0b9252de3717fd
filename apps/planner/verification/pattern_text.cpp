#include "planner/verification/pattern_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace cubefold::planner {

NameAndArgument name_and_argument(const std::string& text) {
  const auto colon = std::min(text.find(':'), text.size());
  NameAndArgument result{text.substr(0, colon), std::nullopt};
  if (colon < text.size()) result.argument = text.substr(colon + 1);
  return result;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::size_t number_of(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument(fmt::format("'{}' is not a number", text));
  }
  return std::strtoul(text.c_str(), nullptr, 10);
}

std::pair<std::size_t, std::size_t> rows_and_columns(const std::string& text) {
  const auto by = std::min(text.find('x'), text.size());
  return {number_of(text.substr(0, by)), number_of(text.substr(std::min(by + 1, text.size())))};
}

}  // namespace cubefold::planner
