#include "planner/verification/faults.hpp"

#include <algorithm>
#include <cmath>

#include "program/shown.hpp"

namespace cubefold::planner {

bool are_equal(double a, double b) {
  return std::abs(a - b) <= 0x1p-50 * std::max(std::abs(a), std::abs(b));
}

void Faults::compare(const std::string& key, double claimed, double right) {
  if (!are_equal(claimed, right)) add("{}: {} is claimed, {} is right", key, claimed, right);
}

std::vector<std::string> Faults::lines() const {
  auto lines = lines_;
  if (count_ > lines_.size()) lines.push_back(fmt::format("and {} more", count_ - lines_.size()));
  return lines;
}

void Faults::keep(const std::string& line) {
  constexpr std::size_t most_bytes = 400;
  lines_.push_back(program::shown(line, most_bytes));
}

}  // namespace cubefold::planner
