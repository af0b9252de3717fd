#include "cubefold/exchange/product_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "link_sharing.hpp"

namespace cubefold {

namespace {

/// One permutation of each active axis.
using Combination = std::vector<const AxisPermutation*>;

bool moves_nobody(const Combination& combination) {
  return std::all_of(combination.begin(), combination.end(),
                     [](const AxisPermutation* permutation) { return is_identity(*permutation); });
}

std::size_t class_count(const Combination& combination) {
  std::size_t count = 1;
  for (const auto* permutation : combination) count = std::max<std::size_t>(count, permutation->class_count);
  return count;
}

/// Steps that combinations share, and how many of them later than its classes say this one's messages are.
struct Round {
  std::size_t first_step;
  std::size_t classes;
  std::size_t later;
};

/// Counts through all numbers with the given digits, the first digit fastest; false after the last one.
bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& limits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < limits[i]) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

ProductPhase::ProductPhase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                           Sharing sharing)
    : grid_(grid), ports_(ports) {
  if (digits.size() != grid.axes().size()) {
    throw std::invalid_argument(fmt::format("ProductPhase: {} digits for the {} axes of {}", digits.size(),
                                            grid.axis_count(), to_string(grid)));
  }
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto j = static_cast<std::size_t>(axis);
    if (digits[j].radix == 1) continue;
    auto permutations = axis_permutations(grid.axes()[j], digits[j], tie);
    axes_.push_back({axis, link_sharing_groups(grid.axes()[j], digits[j], tie, std::move(permutations))});
  }
  if (sharing == Sharing::no || !can_share()) {
    for (auto& axis : axes_) axis.groups = one_by_one(std::move(axis.groups));
  }
  if (!axes_.empty()) shared_ = axes_.front().groups.front().size();
  for_each_combination(
      [&](const Round& round, const Combination&) { step_count_ = round.first_step + round.classes; });
}

/// Messages of one node in one step need ports: all of them, or classes enough for the node to be in another one each time.
bool ProductPhase::can_share() const {
  if (axes_.empty()) return false;
  const std::size_t size = axes_.front().groups.front().size();
  std::size_t classes = 0;
  for (const auto& axis : axes_) {
    if (axis.groups.front().size() != size) return false;
    for (const auto& group : axis.groups) {
      for (const auto& permutation : group) {
        if (ports_ == Ports::one && !permutation.closed) return false;
        classes = std::max<std::size_t>(classes, permutation.class_count);
      }
    }
  }
  return ports_ == Ports::all || classes >= size;
}

/// Calls visit(round, combination) for all that move anybody; those of one round share its steps.
template <typename Visit>
void ProductPhase::for_each_combination(Visit visit) const {
  if (axes_.empty()) return;
  // A digit for the group of each axis, then one for how far each axis but the first is ahead of it within its group.
  std::vector<std::size_t> limits;
  for (const auto& axis : axes_) limits.push_back(axis.groups.size());
  limits.resize(2 * axes_.size() - 1, shared_);
  std::vector<std::size_t> digits(limits.size(), 0);
  std::vector<Combination> combinations(shared_, Combination(axes_.size()));
  std::size_t first_step = 0;
  do {
    std::size_t classes = 0;
    for (std::size_t member = 0; member < shared_; ++member) {
      for (std::size_t j = 0; j < axes_.size(); ++j) {
        const std::size_t ahead = j == 0 ? 0 : digits[axes_.size() + j - 1];
        combinations[member][j] = &axes_[j].groups[digits[j]][(member + ahead) % shared_];
      }
      if (!moves_nobody(combinations[member])) classes = std::max(classes, class_count(combinations[member]));
    }
    if (classes == 0) continue;
    if (ports_ == Ports::one) classes = std::max(classes, shared_);
    for (std::size_t member = 0; member < shared_; ++member) {
      const std::size_t later = ports_ == Ports::one ? member : 0;
      if (!moves_nobody(combinations[member])) visit(Round{first_step, classes, later}, combinations[member]);
    }
    first_step += classes;
  } while (advance(digits, limits));
}

Moves ProductPhase::moves_of(GridNode node) const {
  Moves moves;
  const auto own = grid_.coordinates(node);
  for_each_combination([&](const Round& round, const Combination& combination) {
    auto destination = own;
    auto source = own;
    std::size_t sent = round.later;
    std::size_t received = round.later;
    for (std::size_t j = 0; j < combination.size(); ++j) {
      const auto axis = static_cast<std::size_t>(axes_[j].axis);
      destination[axis] = combination[j]->to[own[axis]];
      source[axis] = combination[j]->from[own[axis]];
      sent += combination[j]->class_of[own[axis]];
      received += combination[j]->class_of[source[axis]];
    }
    const auto step = [&](std::size_t sum) { return round.first_step + sum % round.classes; };
    if (destination != own) moves.sends.push_back({step(sent), grid_.node_at(destination)});
    if (source != own) moves.receives.push_back({step(received), grid_.node_at(source)});
  });
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
