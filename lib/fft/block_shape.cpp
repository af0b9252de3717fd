#include "block_shape.hpp"

#include <algorithm>

namespace cubefold::fft {

namespace {

/// The digit of the layout after that each of the layout before is.
std::vector<std::size_t> digits_after(const ExchangeStage& stage) {
  const auto before = digits_before(stage);
  std::vector<std::size_t> after(before.size());
  for (std::size_t d = 0; d < before.size(); ++d) after[before[d]] = d;
  return after;
}

bool is_spread_on(const Digit& digit, int axis) {
  return digit.spread != Spread::local && digit.axis == axis;
}

/// For every value of a process, in the order of its memory: the member at the other end, and how many before it go
/// there too.
struct Ends {
  std::vector<std::size_t> member;
  std::vector<std::size_t> place;
  std::size_t most = 0;  ///< of one member
};

Ends ends_of(const Layout& here, std::size_t digit, const Layout& there, std::size_t digit_there,
             const Layout::Members& members, int axis) {
  Ends ends;
  const bool is_split = is_spread_on(there.digits()[digit_there], axis);
  std::vector<std::size_t> counts(is_split ? there.axis_members()[static_cast<std::size_t>(axis)] : 1);
  for (const ValueRun& run : here.runs(digit, members)) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::size_t member = is_split ? there.digit_owner(digit_there, run.first + i * run.step) : 0;
      ends.member.push_back(member);
      ends.place.push_back(counts[member]++);
      ends.most = std::max(ends.most, counts[member]);
    }
  }
  return ends;
}

Offsets offsets_of(const Ends& ends, std::size_t block_count, std::size_t stride, std::size_t& base) {
  std::vector<std::size_t> places(ends.member.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = ends.member[i] * block_count + ends.place[i] * stride;
  if (places.empty()) return Offsets(0, 0);
  // Offsets wrap around where later values lie before the first, and so do sums of them.
  const std::size_t first = places.front();
  base += first;
  for (auto& place : places) place -= first;
  return Offsets(std::move(places));
}

}  // namespace

bool keeps_digits(const ExchangeStage& stage) {
  const auto sources = digits_before(stage);
  return sources.size() == stage.before.digits().size() &&
         std::all_of(sources.begin(), sources.end(), [&](std::size_t d) { return d < sources.size(); });
}

std::vector<std::size_t> shared_counts(const ExchangeStage& stage, const Layout::Members& members) {
  const auto there = digits_after(stage);
  std::vector<std::size_t> counts;
  for (std::size_t d = 0; d < there.size(); ++d)
    counts.push_back(ends_of(stage.before, d, stage.after, there[d], members, stage.axis).most);
  return counts;
}

BlockShape block_shape(const ExchangeStage& stage, const Layout::Members& members, std::size_t batch,
                       const std::vector<std::size_t>& order, const std::vector<std::size_t>& rooms) {
  std::vector<std::size_t> strides(order.size());
  std::size_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= rooms[order[i]]) strides[order[i]] = stride;
  BlockShape shape{{}, {}, stride * batch};
  shape.sent.batch = shape.received.batch = Offsets(batch, stride);
  const auto after = digits_after(stage);
  const auto before = digits_before(stage);
  for (std::size_t d = 0; d < order.size(); ++d) {
    const Ends ends = ends_of(stage.before, d, stage.after, after[d], members, stage.axis);
    shape.sent.digits.push_back(offsets_of(ends, shape.block_count, strides[d], shape.sent.base));
  }
  for (std::size_t d = 0; d < order.size(); ++d) {
    const Ends ends = ends_of(stage.after, d, stage.before, before[d], members, stage.axis);
    shape.received.digits.push_back(
        offsets_of(ends, shape.block_count, strides[before[d]], shape.received.base));
  }
  return shape;
}

}  // namespace cubefold::fft
