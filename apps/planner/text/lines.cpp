#include "planner/text/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace cubefold::planner {

namespace {

/// Reads the whole word as a number. Returns false if it is not a number.
template <typename Number>
bool read(std::string_view word, Number& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

Lines::Lines(std::string name, std::string text, char comment)
    : name_(std::move(name)), text_(std::move(text)), rest_(text_), comment_(comment) {}

bool Lines::next() {
  while (!rest_.empty()) {
    const std::string_view whole = take_line(rest_);
    ++number_;
    line_ = trimmed(comment_ == 0 ? whole : whole.substr(0, whole.find(comment_)));
    if (!line_.empty()) return true;
  }
  line_ = {};
  return false;
}

std::uint64_t Lines::whole_number(std::string_view word, std::string_view what) const {
  std::uint64_t number = 0;
  if (!read(word, number)) fail(fmt::format("{} '{}' is not a whole number", what, word));
  return number;
}

double Lines::real_number(std::string_view word, std::string_view what) const {
  double number = 0;
  std::string digits(word.starts_with('+') ? word.substr(1) : word);
  std::ranges::replace_if(
      digits, [](char c) { return c == 'D' || c == 'd'; }, 'e');
  if (!read(digits, number) || !std::isfinite(number)) {
    fail(fmt::format("{} '{}' is not a finite number", what, word));
  }
  return number;
}

void Lines::fail(const std::string& rule) const {
  throw std::runtime_error(fmt::format("{}: line {}: {}", name_, std::max<std::size_t>(number_, 1), rule));
}

}  // namespace cubefold::planner
