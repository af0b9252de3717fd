#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cubefold::planner {

/// Whether two numbers are the same but for the last digits of a double, which a reader or a writer may round.
bool are_equal(double a, double b);

/// What is found to be wrong, a line each. The lines are of bounded length, and no more than most_lines of them are
/// kept.
class Faults {
 public:
  static constexpr std::size_t most_lines = 20;

  /// False, for a check to return.
  template <typename... Parts>
  bool add(fmt::format_string<Parts...> text, Parts&&... parts) {
    if (count_++ < most_lines) keep(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  /// A line if the two are not equal.
  void compare(const std::string& key, double claimed, double right);

  std::size_t count() const { return count_; }

  /// The last one says how many more there are, if there are.
  std::vector<std::string> lines() const;

 private:
  void keep(const std::string& line);

  std::size_t count_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace cubefold::planner
