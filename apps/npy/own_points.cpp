#include "npy/own_points.hpp"

#include <algorithm>
#include <utility>

using cubefold::fft::Digit;
using cubefold::fft::Layout;
using cubefold::fft::Spread;

namespace cubefold::npy {

namespace {

std::size_t block_of(const Digit& digit, std::size_t member_count) {
  return (digit.extent + member_count - 1) / member_count;
}

}  // namespace

OwnPoints::OwnPoints(const Layout& layout, const Layout::Members& members) {
  for (std::size_t d = layout.digits().size(); d-- > 0;) {
    const Digit& digit = layout.digits()[d];
    const std::size_t own = layout.digit_count(d, members);
    const std::size_t begin = own == 0 ? 0 : layout.digit_at(d, 0, members);
    const std::size_t step = own < 2 ? 1 : layout.digit_at(d, 1, members) - begin;
    digits_.push_back({own, begin, step, digit.extent, digit.weight, count_});
    count_ *= own;
  }
  if (digits_.empty()) digits_.push_back({1, 0, 1, 1, 1, 1});
  std::sort(digits_.begin(), digits_.end(), [](const OwnDigit& a, const OwnDigit& b) {
    return std::pair(a.weight, a.extent) > std::pair(b.weight, b.extent);
  });
}

std::size_t OwnPoints::values_below(const OwnDigit& digit, std::size_t value) {
  if (value <= digit.begin) return 0;
  return std::min(digit.count, (value - digit.begin + digit.step - 1) / digit.step);
}

std::size_t OwnPoints::count_below(std::size_t point) const {
  std::size_t below = 0;
  std::size_t per_value = count_;
  if (count_ == 0) return 0;
  for (const OwnDigit& digit : digits_) {
    // Only the slowest digit can be past its end, where the point is past all.
    const std::size_t value = point / digit.weight;
    point -= value * digit.weight;
    per_value /= digit.count;
    const std::size_t values = values_below(digit, value);
    below += values * per_value;
    const bool has_value = values < digit.count && digit.begin + values * digit.step == value;
    if (!has_value) break;
  }
  return below;
}

std::size_t Owners::number_of(const Layout& layout, const Layout::Members& members) {
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < members.size(); ++axis) {
    number = number * layout.axis_members()[axis] + members[axis];
  }
  return number;
}

Owners::Owners(const Layout& layout, std::vector<int> ranks) : ranks_(std::move(ranks)) {
  const auto& axes = layout.axis_members();
  for (const Digit& digit : layout.digits()) {
    if (digit.spread == Spread::local || digit.extent == 1) continue;
    const auto axis = static_cast<std::size_t>(digit.axis);
    std::size_t number = 1;
    for (std::size_t a = axis + 1; a < axes.size(); ++a) number *= axes[a];
    digits_.push_back(
        {digit.extent, digit.weight, digit.spread, axes[axis], block_of(digit, axes[axis]), number});
  }
}

std::size_t Owners::same_for(const SpreadDigit& digit, std::size_t point) {
  const std::size_t in_value = point % digit.weight;
  const std::size_t value = point / digit.weight % digit.extent;
  std::size_t values = 1;
  if (digit.spread == Spread::block)
    values = std::min(digit.block - value % digit.block, digit.extent - value);
  return values * digit.weight - in_value;
}

int Owners::rank_of(std::size_t point) const {
  std::size_t number = 0;
  for (const SpreadDigit& digit : digits_) {
    const std::size_t value = point / digit.weight % digit.extent;
    const std::size_t member = digit.spread == Spread::block ? value / digit.block : value % digit.members;
    number += member * digit.number;
  }
  return ranks_[number];
}

}  // namespace cubefold::npy
