#include "product_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold {

ProductRounds::ProductRounds(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                             ProductPhase::Sharing sharing)
    : ports_(ports) {
  if (digits.size() != grid.axes().size()) {
    throw std::invalid_argument(fmt::format("ProductPhase: {} digits for the {} axes of {}", digits.size(),
                                            grid.axis_count(), to_string(grid)));
  }
  for (int j = 0; j < grid.axis_count(); ++j) {
    const Axis& axis = grid.axes()[static_cast<std::size_t>(j)];
    const Digit& digit = digits[static_cast<std::size_t>(j)];
    if (digit.radix == 1) continue;
    axes_.push_back({j, permutation_shapes(axis, digit, tie), link_sharing_groups(axis, digit, tie)});
  }
  if (sharing == ProductPhase::Sharing::no || !can_share()) {
    for (auto& axis : axes_) axis.groups = one_by_one(axis.groups);
  }
  if (!axes_.empty()) shared_ = axes_.front().groups.front().size();
  for_each_combination(
      [&](const Round& round, const Combination&) { step_count_ = round.first_step + round.classes; });
}

/// Messages of one node in one step need ports: all of them, or classes enough for the node to be in another one each
/// time.
bool ProductRounds::can_share() const {
  if (axes_.empty()) return false;
  const std::size_t size = axes_.front().groups.front().size();
  std::size_t classes = 0;
  for (const auto& axis : axes_) {
    if (axis.groups.front().size() != size) return false;
    for (const auto& shape : axis.shapes) {
      if (ports_ == Ports::one && !shape.closed) return false;
      classes = std::max<std::size_t>(classes, shape.class_count);
    }
  }
  return ports_ == Ports::all || classes >= size;
}

bool ProductRounds::moves_nobody(const Combination& combination) const {
  for (std::size_t j = 0; j < combination.size(); ++j) {
    if (!axes_[j].shapes[combination[j]].moves_nobody) return false;
  }
  return true;
}

std::size_t ProductRounds::class_count(const Combination& combination) const {
  std::size_t count = 1;
  for (std::size_t j = 0; j < combination.size(); ++j)
    count = std::max<std::size_t>(count, axes_[j].shapes[combination[j]].class_count);
  return count;
}

/// Counts through all numbers with the given digits, the first digit fastest; false after the last one.
bool ProductRounds::advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& limits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < limits[i]) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace cubefold
