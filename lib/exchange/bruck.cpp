#include "bruck.hpp"

#include <algorithm>

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

Step digit_step(std::size_t rank_count, std::uint32_t radix, const std::vector<OffsetDigit>& digits) {
  Step step;
  step.reserve(rank_count * digits.size());
  for (std::size_t r = 0; r < rank_count; ++r) {
    for (const OffsetDigit& digit : digits) {
      step.push_back(digit_message(rank_count, radix, digit, static_cast<Rank>(r)));
    }
  }
  return step;
}

}  // namespace

Schedule bruck_exchange(std::size_t rank_count, std::uint32_t radix, Ports ports) {
  require_radix("bruck_exchange", rank_count, radix);
  Schedule schedule{rank_count, {}};
  for (const auto& digits : digits_of_steps(rank_count, radix, ports)) {
    schedule.steps.push_back(digit_step(rank_count, radix, digits));
  }
  return schedule;
}

Schedule bruck_exchange_part(std::size_t rank_count, std::uint32_t radix, Ports ports, Rank rank) {
  require_radix("bruck_exchange_part", rank_count, radix);
  require_rank("bruck_exchange_part", rank, rank_count);
  Schedule part{rank_count, {}};
  for (const auto& digits : digits_of_steps(rank_count, radix, ports)) {
    Step& step = part.steps.emplace_back();
    for (const OffsetDigit& digit : digits) {
      step.push_back(digit_message(rank_count, radix, digit, rank));
      const Rank from = rank_below(rank, digit.distance(), rank_count);
      step.push_back(digit_message(rank_count, radix, digit, from));
    }
    sort_by_sender(step);
  }
  return part;
}

ExchangeCost bruck_exchange_cost(const Placement& placement, std::uint32_t radix, Ports ports, Tie tie) {
  const std::size_t rank_count = placement.rank_count();
  require_radix("bruck_exchange", rank_count, radix);
  const ShiftSteps steps(placement, ports, tie);
  ExchangeCost cost;
  for (const auto& digits : digits_of_steps(rank_count, radix, ports)) {
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

namespace {

std::vector<Numbers> bruck_radices(const Grid& grid) {
  std::vector<Numbers> choices;
  for (std::uint32_t radix = 2; radix < grid.node_count() && radix <= 16; radix *= 2)
    choices.push_back({radix});
  return choices;
}

}  // namespace

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
    [](const ExchangeInputs& in) {
      return bruck_exchange(in.placement.rank_count(), in.numbers.at(0), in.ports);
    },
    [](const ExchangeInputs& in, Rank rank) {
      return bruck_exchange_part(in.placement.rank_count(), in.numbers.at(0), in.ports, rank);
    },
    [](const ExchangeInputs& in) {
      return bruck_exchange_cost(in.placement, in.numbers.at(0), in.ports, in.tie);
    }};

}  // namespace cubefold
