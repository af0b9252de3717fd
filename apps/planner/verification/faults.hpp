#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cubefold::planner {

/// Whether two numbers are the same but for rounding: a sum of many terms comes out a little differently in another order.
bool are_equal(double a, double b);

/// A number with 12 digits at most.
std::string in_full(double value);

/// What is found to be wrong, a line each.
class Faults {
 public:
  /// False, for a check to return.
  template <typename... Parts>
  bool add(fmt::format_string<Parts...> text, Parts&&... parts) {
    lines_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  /// A line if the two are not equal.
  void compare(const std::string& key, double claimed, double right);

  std::size_t count() const { return lines_.size(); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace cubefold::planner
