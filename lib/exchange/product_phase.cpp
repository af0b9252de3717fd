#include "product_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "taken_links.hpp"
#include "topology/route_segments.hpp"

namespace cubefold {

ProductPhase::ProductPhase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                           Sharing sharing)
    : grid_(grid), rounds_(std::make_shared<ProductRounds>(grid, digits, ports, tie, sharing)) {
  for (const auto& active : rounds_->axes()) {
    const auto axis = static_cast<std::size_t>(active.axis);
    permutations_.push_back(axis_permutations(grid.axes()[axis], digits[axis], tie));
  }
}

std::size_t ProductPhase::step_count() const {
  return rounds_->step_count();
}

Moves ProductPhase::moves_of(GridNode node) const {
  Moves moves;
  const auto own = grid_.coordinates(node);
  rounds_->for_each_combination([&](const auto& round, const auto& combination) {
    auto destination = own;
    auto source = own;
    std::size_t sent = round.later;
    std::size_t received = round.later;
    for (std::size_t j = 0; j < combination.size(); ++j) {
      const AxisPermutation& permutation = permutations_[j][combination[j]];
      const auto axis = static_cast<std::size_t>(rounds_->axes()[j].axis);
      destination[axis] = permutation.to[own[axis]];
      source[axis] = permutation.from[own[axis]];
      sent += permutation.class_of[own[axis]];
      received += permutation.class_of[source[axis]];
    }
    const auto step = [&](std::size_t sum) { return round.first_step + sum % round.classes; };
    if (destination != own) moves.sends.push_back({step(sent), grid_.node_at(destination)});
    if (source != own) moves.receives.push_back({step(received), grid_.node_at(source)});
  });
  sort_by_step(moves);
  return moves;
}

namespace {

std::int64_t steps(const Grid& line, const AxisPermutation& permutation, std::uint32_t from, Tie tie) {
  return steps_between(line, 0, from, permutation.to[from], tie);
}

std::int64_t total_hops(const Grid& line, const AxisPermutation& permutation, Tie tie) {
  std::int64_t hops = 0;
  for (std::uint32_t x = 0; x < line.extent(0); ++x) hops += std::abs(steps(line, permutation, x, tie));
  return hops;
}

bool take_all(TakenLinks& links, const Grid& line, const AxisPermutation& permutation, Tie tie) {
  TakenLinks tried = links;
  for (std::uint32_t x = 0; x < line.extent(0); ++x) {
    if (!tried.take(x, steps(line, permutation, x, tie))) return false;
  }
  links = std::move(tried);
  return true;
}

}  // namespace

PermutationGroups one_by_one(const PermutationGroups& groups) {
  PermutationGroups result;
  for (const auto& group : groups) {
    for (const auto member : group) result.push_back({member});
  }
  return result;
}

PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie) {
  if (digit.radix == 2) return {{0, 1}};
  std::vector<std::uint32_t> order(digit.radix);
  std::iota(order.begin(), order.end(), 0U);
  if (axis.extent > 4) return one_by_one({order});
  const Grid line({axis});
  const auto permutations = axis_permutations(axis, digit, tie);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return total_hops(line, permutations[a], tie) > total_hops(line, permutations[b], tie);
  });
  PermutationGroups groups;
  std::vector<TakenLinks> links;
  for (const auto member : order) {
    std::size_t group = 0;
    while (group < groups.size() && !take_all(links[group], line, permutations[member], tie)) ++group;
    if (group == groups.size()) {
      links.emplace_back(axis.extent);
      if (!take_all(links.back(), line, permutations[member], tie)) return one_by_one({order});
      groups.emplace_back();
    }
    groups[group].push_back(member);
  }
  const auto equal = [&](const auto& group) { return group.size() == groups.front().size(); };
  return std::all_of(groups.begin(), groups.end(), equal) ? groups : one_by_one({order});
}

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

/// Returns whether combinations can share steps. The groups of all axes must be of one size. A node then sends a
/// message of every combination in the same steps, which needs all ports, or closed classes that are at least as many
/// as the combinations, so that the node is in a different class each time.
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

/// Counts through all numbers with the given digits, the first digit fastest. Returns false after the last number.
bool ProductRounds::advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& limits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < limits[i]) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace cubefold
