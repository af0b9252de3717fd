#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "algorithm.hpp"
#include "shifts.hpp"

namespace cubefold {

namespace {

/// Identifies a message of a rank by a digit of the offset and a value of that digit.
struct OffsetDigit {
  std::size_t weight;  ///< radix^phase
  std::size_t value;

  std::size_t distance() const { return value * weight; }
};

/// Returns, for each step, the digit values whose messages a rank sends in it. Leaves out values that no offset below
/// rank_count has.
std::vector<std::vector<OffsetDigit>> digits_of_steps(std::size_t rank_count, std::uint32_t radix,
                                                      Ports ports) {
  std::vector<std::vector<OffsetDigit>> steps;
  for (std::size_t weight = 1; weight < rank_count; weight *= radix) {
    for (std::size_t value = 1; value < radix && value * weight < rank_count; ++value) {
      if (value == 1 || ports == Ports::one) steps.emplace_back();
      steps.back().push_back({weight, value});
    }
  }
  return steps;
}

/// Returns the blocks of the digit's message: the number of offsets below rank_count that have the value of the digit.
std::size_t block_count(std::size_t rank_count, std::uint32_t radix, const OffsetDigit& digit) {
  const std::size_t cycle = digit.weight * radix;
  const std::size_t rest = rank_count % cycle;
  const std::size_t in_rest = rest - std::min(rest, digit.distance());
  return rank_count / cycle * digit.weight + std::min(in_rest, digit.weight);
}

/// Returns the message that a rank sends for a digit. A block has already travelled the lower digits of its offset,
/// offset - high ranks in all.
Message digit_message(std::size_t rank_count, std::uint32_t radix, const OffsetDigit& digit, Rank from) {
  Message message{from, rank_above(from, digit.distance(), rank_count), {}};
  for (std::size_t high = digit.distance(); high < rank_count; high += digit.weight * radix) {
    const std::size_t end = std::min(high + digit.weight, rank_count);
    for (std::size_t offset = high; offset < end; ++offset) {
      const Rank source = rank_below(from, offset - high, rank_count);
      message.blocks.push_back({source, rank_above(source, offset, rank_count)});
    }
  }
  return message;
}

/// Returns the radix. Throws std::invalid_argument if it is below 2 or above max(2, p).
std::uint32_t radix_of(const ExchangeInputs& in) {
  const std::uint32_t radix = in.numbers.at(0);
  const auto largest = std::max<std::size_t>(2, in.placement.rank_count());
  if (radix >= 2 && radix <= largest) return radix;
  throw std::invalid_argument(fmt::format("bruck_exchange: radix {} is not in 2 .. {}", radix, largest));
}

ExchangeParts bruck_parts(const ExchangeInputs& in) {
  const std::size_t p = in.placement.rank_count();
  const std::uint32_t radix = radix_of(in);
  const auto digits = digits_of_steps(p, radix, in.ports);
  return {p, digits.size(), [p, radix, digits](PartBuilder& part) {
            for (std::size_t step = 0; step < digits.size(); ++step) {
              for (const OffsetDigit& digit : digits[step]) {
                add_shift(part, step, digit.distance(), p,
                          [&](Rank from) { return digit_message(p, radix, digit, from); });
              }
            }
          }};
}

/// Costs O(messages sent per rank * p axes).
ExchangeCost bruck_cost(const ExchangeInputs& in) {
  const std::size_t rank_count = in.placement.rank_count();
  const std::uint32_t radix = radix_of(in);
  const ShiftSteps steps(in.placement, in.ports, in.tie);
  ExchangeCost cost;
  for (const auto& digits : digits_of_steps(rank_count, radix, in.ports)) {
    std::vector<Shift> shifts;
    for (const OffsetDigit& digit : digits) {
      shifts.push_back({digit.distance(), block_count(rank_count, radix, digit)});
      cost.sent_blocks += static_cast<double>(shifts.back().blocks);
    }
    StepGroup step = steps.step(shifts);
    if (digits.front().value == 1) step.waits = Waits::first;
    cost.add(step);
  }
  return cost;
}

std::vector<Numbers> bruck_radices(const Grid& grid) {
  std::vector<Numbers> choices;
  for (std::uint32_t radix = 2; radix < grid.node_count() && radix <= 16; radix *= 2)
    choices.push_back({radix});
  return choices;
}

}  // namespace

/// Describes Bruck's complete exchange of any number p of ranks. It uses the digits in base r of a block's offset,
/// (destination - source) mod p. Phase k = 0, 1, ... < log_r p handles digit k: for each value v = 1 .. r - 1 of the
/// digit, every rank sends to rank + v r^k mod p all blocks that it holds with that value, in ascending order of
/// offset. The last phase leaves out values with v r^k >= p, so that no message is empty. A block travels once for each
/// digit of its offset that is not 0.
///
/// Messages sent per rank: the sum over phases k of min(r - 1, floor((p - 1) / r^k)), which is (r - 1) log_r p if p is
/// a power of r. Blocks sent per rank: the number of digits other than 0 in all numbers below p, which is (r - 1) / r p
/// log_r p if p is a power of r. With Ports::one every message has a step of its own, and the schedule is one-port.
/// With Ports::all every phase is one step, in which a rank sends and receives up to r - 1 messages. Messages of a step
/// share links wherever they travel more than one hop. With r = p this is `shifted`, and with Ports::all `linear`.
///
/// Throws std::invalid_argument unless 2 <= r <= max(2, p). A part costs O(blocks sent by one rank). Source: Bruck, Ho,
/// Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, without its two rotations.
const ExchangeDescriptor bruck_algorithm{
    {.name = "bruck",
     .examples = "bruck:4",
     .summary = "by the digits in this base of (destination - source) mod p",
     .fewest_numbers = 1,
     .most_numbers = 1,
     .is_free_of_conflicts = false,
     .depends_on_placement = true,
     .needs_axes = false},
    bruck_radices,
    bruck_parts,
    bruck_cost};

}  // namespace cubefold
