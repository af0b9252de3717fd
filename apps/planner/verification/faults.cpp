#include "planner/verification/faults.hpp"

#include <algorithm>
#include <cmath>

namespace cubefold::planner {

bool are_equal(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

std::string in_full(double value) {
  return fmt::format("{:.12g}", value);
}

void Faults::compare(const std::string& key, double claimed, double right) {
  if (!are_equal(claimed, right))
    add("{}: {} is claimed, {} is right", key, in_full(claimed), in_full(right));
}

}  // namespace cubefold::planner
