#include "cubefold/fft/exchange_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "digit_values.hpp"
#include "exchange_digits.hpp"

namespace cubefold::fft {

namespace {

using Members = Layout::Members;

/// A block: of each digit of the layout after, the values that the sender has and the receiver gets.
using BlockValues = std::vector<std::vector<ValueRun>>;

BlockValues block_values(const ExchangeStage& stage, const Members& sender, const Members& receiver) {
  const auto sources = digits_before(stage);
  BlockValues values;
  for (std::size_t digit = 0; digit < sources.size(); ++digit) {
    values.push_back(
        common_values(stage.before.runs(sources[digit], sender), stage.after.runs(digit, receiver)));
  }
  return values;
}

Members with_member(Members members, int axis, std::size_t member) {
  members[static_cast<std::size_t>(axis)] = member;
  return members;
}

std::size_t points_of(const BlockValues& values) {
  std::size_t count = 1;
  for (const auto& runs : values) count *= count_of(runs);
  return count;
}

/// One end of the block: digits in the order of the layout after, as they are in this process's memory.
struct End {
  const Layout& layout;
  const Members& members;
  std::vector<std::size_t> digits;
};

void put_together(std::vector<BoxDimension>& dimensions) {
  std::vector<BoxDimension> result;
  for (const BoxDimension& inner : dimensions) {
    if (inner.count == 1) continue;
    if (!result.empty() && result.back().local_stride == inner.count * inner.local_stride &&
        result.back().packed_stride == inner.count * inner.packed_stride) {
      result.back() = {result.back().count * inner.count, inner.local_stride, inner.packed_stride};
    } else {
      result.push_back(inner);
    }
  }
  dimensions = std::move(result);
}

/// Adds one digit's run to boxes of the digits before it.
void extend(Box& box, const End& end, std::size_t digit, const ValueRun& run, std::size_t packed_place,
            std::size_t packed_stride) {
  const std::size_t place = end.layout.digit_place(digit, run.first);
  const std::size_t next = run.count == 1 ? place : end.layout.digit_place(digit, run.first + run.step);
  const std::size_t stride = end.layout.stride(digit, end.members);
  box.local_offset += place * stride;
  box.packed_offset += packed_place * packed_stride;
  box.dimensions.push_back({run.count, (next - place) * stride, packed_stride});
}

std::vector<Box> boxes_of(const BlockValues& values, const End& end) {
  std::size_t packed_stride = points_of(values);
  if (packed_stride == 0) return {};
  std::vector<Box> boxes(1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    packed_stride /= count_of(values[i]);
    std::vector<Box> extended;
    for (const Box& box : boxes) {
      std::size_t packed_place = 0;
      for (const ValueRun& run : values[i]) {
        extended.push_back(box);
        extend(extended.back(), end, end.digits[i], run, packed_place, packed_stride);
        packed_place += run.count;
      }
    }
    boxes = std::move(extended);
  }
  for (Box& box : boxes) put_together(box.dimensions);
  return boxes;
}

bool over(const Digit& digit, int axis) {
  return digit.spread != Spread::local && digit.axis == axis;
}

/// The most values of a digit in any block.
std::size_t largest_count(const ExchangeStage& stage, std::size_t before, std::size_t after) {
  const Digit& from = stage.before.digits()[before];
  const Digit& to = stage.after.digits()[after];
  const std::size_t count =
      std::min(stage.before.largest_digit_count(before), stage.after.largest_digit_count(after));
  const auto changes = [&](Spread a, Spread b) { return from.spread == a && to.spread == b; };
  const bool dealt_anew = over(from, stage.axis) && over(to, stage.axis) &&
                          (changes(Spread::block, Spread::cyclic) || changes(Spread::cyclic, Spread::block));
  return dealt_anew ? divided_up(count, stage.after.axis_members()[static_cast<std::size_t>(stage.axis)])
                    : count;
}

}  // namespace

std::size_t Box::count() const {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::size_t{1},
                         [](std::size_t product, const BoxDimension& d) { return product * d.count; });
}

std::size_t block_count(const ExchangeStage& stage) {
  const auto sources = digits_before(stage);
  std::size_t count = 1;
  for (std::size_t digit = 0; digit < sources.size(); ++digit) {
    count *= largest_count(stage, sources[digit], digit);
  }
  return count;
}

std::vector<Box> sent_boxes(const ExchangeStage& stage, const Members& members, std::size_t peer) {
  const BlockValues values = block_values(stage, members, with_member(members, stage.axis, peer));
  return boxes_of(values, {stage.before, members, digits_before(stage)});
}

std::vector<Box> received_boxes(const ExchangeStage& stage, const Members& members, std::size_t peer) {
  const BlockValues values = block_values(stage, with_member(members, stage.axis, peer), members);
  std::vector<std::size_t> digits(values.size());
  std::iota(digits.begin(), digits.end(), std::size_t{0});
  return boxes_of(values, {stage.after, members, digits});
}

// Of blocks and of what is dealt round member 0 has most; mirrored digits are on axes of their own.
std::size_t sent_count(const ExchangeStage& stage) {
  const auto& axis_members = stage.before.axis_members();
  std::size_t largest = 0;
  for (std::size_t member = 0; member < axis_members[static_cast<std::size_t>(stage.axis)]; ++member) {
    const Members members = with_member(Members(axis_members.size()), stage.axis, member);
    largest = std::max(largest,
                       stage.before.local_count(members) - points_of(block_values(stage, members, members)));
  }
  return largest;
}

}  // namespace cubefold::fft
