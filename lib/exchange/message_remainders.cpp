#include "message_remainders.hpp"

#include <algorithm>

#include "closed_permutations.hpp"

namespace cubefold {

MessageRemainders::MessageRemainders(const Grid& grid, const LinesRounds& rounds, Tie tie)
    : grid_(grid), rounds_(rounds) {
  for (std::size_t j = 0; j < rounds.axes().size(); ++j) {
    permutations_.emplace_back();
    const Axis& axis = grid.axes()[static_cast<std::size_t>(rounds.axes()[j])];
    if (rounds.shares(j)) permutations_.back() = closed_permutations(axis, tie, rounds.tables()).value();
  }
}

/// Returns the remainders of a set with a number below c added to each.
Remainders MessageRemainders::rotated(Remainders set, std::size_t by) const {
  if (by == 0) return set;
  const Remainders below_c = (Remainders{1} << axis_count()) - 1;
  return ((set << by) | (set >> (axis_count() - by))) & below_c;
}

Remainders MessageRemainders::sums(Remainders a, Remainders b) const {
  Remainders result = 0;
  for (std::size_t r = 0; r < axis_count(); ++r)
    if ((b >> r & 1) != 0) result |= rotated(a, r);
  return result;
}

MessageRemainders::BySum MessageRemainders::sums(const BySum& a, const BySum& b) const {
  BySum result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[(i + j) % a.size()] |= sums(a[i], b[j]);
  }
  return result;
}

/// Returns the remainders of the shares of an axis.
Remainders MessageRemainders::all_of(std::size_t axis) const {
  const std::size_t count = std::min<std::size_t>(extent(axis), axis_count());
  return (Remainders{1} << count) - 1;
}

std::vector<Remainders> MessageRemainders::of(const LinesRound& round, const LinesRound::Along& along) const {
  BySum steps(round.step_count);
  Remainders& first = steps[round.step_of(along, 0)];
  first = 1;
  for (std::size_t axis = 0; axis < axis_count(); ++axis) {
    const auto is_axis = [&](const LinesRound::Along& each) { return each.axis == axis; };
    if (std::none_of(round.along.begin(), round.along.end(), is_axis)) first = sums(first, all_of(axis));
  }
  for (const auto& each : round.along) {
    const AxisPermutation& permutation = permutations_[each.axis][each.permutation];
    BySum own(round.step_count);
    for (std::uint32_t x = 0; x < extent(each.axis); ++x) {
      const bool sends = each.axis == along.axis;
      if (sends && permutation.to[x] == x) continue;
      std::size_t sum = share_of(x, extent(each.axis), axis_count());
      if (sends) sum += share_of(permutation.to[x], extent(each.axis), axis_count());
      own[permutation.class_of[x]] |= Remainders{1} << sum % axis_count();
    }
    steps = sums(steps, own);
  }
  return steps;
}

}  // namespace cubefold
