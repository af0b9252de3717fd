#include "npy/own_points.hpp"

#include <algorithm>
#include <utility>

using cubefold::fft::Digit;
using cubefold::fft::Layout;
using cubefold::fft::Spread;
using cubefold::fft::ValueRun;

namespace cubefold::npy {

OwnPoints::OwnPoints(const Layout& layout, const Layout::Members& members) {
  for (std::size_t d = layout.digits().size(); d-- > 0;) {
    const Digit& digit = layout.digits()[d];
    const std::size_t own = layout.digit_count(d, members);
    digits_.push_back({layout.runs(d, members), own, digit.extent, digit.weight, place_count_});
    place_count_ *= own;
  }
  if (digits_.empty()) digits_.push_back({{{0, 1, 1}}, 1, 1, 1, 1});
  std::sort(digits_.begin(), digits_.end(), [](const OwnDigit& a, const OwnDigit& b) {
    return std::pair(a.weight, a.extent) > std::pair(b.weight, b.extent);
  });
  count_ = count_below(layout.point_count());
}

std::size_t OwnPoints::value_of(const OwnDigit& digit, std::size_t number) {
  for (const ValueRun& run : digit.runs) {
    if (number < run.count) return run.first + number * run.step;
    number -= run.count;
  }
  return digit.extent;
}

std::size_t OwnPoints::values_below(const OwnDigit& digit, std::size_t value) {
  std::size_t below = 0;
  for (const ValueRun& run : digit.runs) {
    if (value > run.first) below += std::min(run.count, (value - run.first + run.step - 1) / run.step);
  }
  return below;
}

std::size_t OwnPoints::count_below(std::size_t point) const {
  if (place_count_ == 0) return 0;
  std::size_t below = 0;
  std::size_t per_value = place_count_;
  for (const OwnDigit& digit : digits_) {
    // Only the slowest digit can be past its end, where the point is past all.
    const std::size_t value = point / digit.weight;
    point -= value * digit.weight;
    per_value /= digit.count;
    const std::size_t values = values_below(digit, value);
    below += values * per_value;
    if (values == digit.count || value_of(digit, values) != value) break;
  }
  return below;
}

OwnPoints::Run OwnPoints::run_from(std::size_t number) const {
  const OwnDigit& fastest = digits_.back();
  std::size_t in_run = number % fastest.count;
  std::size_t rest = number / fastest.count;
  Run run{0, 0, in_run * fastest.stride, fastest.stride, 0};
  for (const ValueRun& values : fastest.runs) {
    if (in_run < values.count) {
      run.point = (values.first + in_run * values.step) * fastest.weight;
      run.step = values.step * fastest.weight;
      run.length = values.count - in_run;
      break;
    }
    in_run -= values.count;
  }
  for (std::size_t d = digits_.size() - 1; d-- > 0;) {
    const OwnDigit& digit = digits_[d];
    run.point += value_of(digit, rest % digit.count) * digit.weight;
    run.place += rest % digit.count * digit.stride;
    rest /= digit.count;
  }
  return run;
}

Layout first_axis_fastest(const Layout& layout, const std::vector<std::size_t>& shape) {
  std::vector<Digit> digits = layout.digits();
  for (Digit& digit : digits) {
    std::size_t last_fastest = 1;
    std::size_t axis = shape.size();
    while (axis-- > 1 && digit.weight >= last_fastest * shape[axis]) last_fastest *= shape[axis];
    std::size_t first_fastest = 1;
    for (std::size_t a = 0; a < axis; ++a) first_fastest *= shape[a];
    digit.weight = digit.extent == 1 ? 1 : digit.weight / last_fastest * first_fastest;
  }
  return {std::move(digits), layout.axis_members()};
}

std::size_t Owners::number_of(const Layout& layout, const Layout::Members& members) {
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < members.size(); ++axis) {
    number = number * layout.axis_members()[axis] + members[axis];
  }
  return number;
}

Owners::Owners(const Layout& layout, std::vector<int> ranks) : layout_(layout), ranks_(std::move(ranks)) {
  const auto& axes = layout.axis_members();
  for (std::size_t d = 0; d < layout.digits().size(); ++d) {
    const Digit& digit = layout.digits()[d];
    if (digit.spread == Spread::local || digit.extent == 1) continue;
    const auto axis = static_cast<std::size_t>(digit.axis);
    const std::size_t block =
        digit.spread == Spread::block ? (digit.extent + axes[axis] - 1) / axes[axis] : 1;
    std::size_t number = 1;
    for (std::size_t a = axis + 1; a < axes.size(); ++a) number *= axes[a];
    digits_.push_back({d, block, number});
  }
  std::sort(digits_.begin(), digits_.end(), [&](const SpreadDigit& a, const SpreadDigit& b) {
    return layout.digits()[a.digit].weight < layout.digits()[b.digit].weight;
  });
}

std::size_t Owners::value_of(const SpreadDigit& spread, std::size_t point) const {
  const Digit& digit = layout_.digits()[spread.digit];
  return point / digit.weight % digit.extent;
}

std::size_t Owners::same_for(const SpreadDigit& spread, std::size_t point) const {
  const Digit& digit = layout_.digits()[spread.digit];
  const std::size_t value = value_of(spread, point);
  const std::size_t values = std::min(spread.block - value % spread.block, digit.extent - value);
  return values * digit.weight - point % digit.weight;
}

std::size_t Owners::part_of_number(const SpreadDigit& spread, std::size_t point) const {
  return layout_.digit_owner(spread.digit, value_of(spread, point)) * spread.number;
}

}  // namespace cubefold::npy
