#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cubefold::planner {

/// Returns whether two numbers are equal up to the last digits of a double, which readers and writers may round.
bool are_equal(double a, double b);

/// A list of errors, a line each. The lines have bounded length, and at most most_lines of them are kept.
class Faults {
 public:
  static constexpr std::size_t most_lines = 20;

  /// Adds a line and returns false, so that a check can return the result.
  template <typename... Parts>
  bool add(fmt::format_string<Parts...> text, Parts&&... parts) {
    if (count_++ < most_lines) keep(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  /// Adds a line if the two numbers are not equal.
  void compare(const std::string& key, double claimed, double right);

  std::size_t count() const { return count_; }

  /// Returns the lines. If there were more than most_lines, the last one says how many are missing.
  std::vector<std::string> lines() const;

 private:
  void keep(const std::string& line);

  std::size_t count_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace cubefold::planner
