#include "cubefold/exchange/cc_cube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "algorithm.hpp"
#include "cc_cube_message.hpp"
#include "cubefold/embedding/closed_form.hpp"
#include "cubefold/embedding/cube_loads.hpp"

namespace cubefold {

namespace {

Schedule empty_schedule(int dimension_count) {
  if (dimension_count < 0 || dimension_count > 31) {
    throw std::invalid_argument(
        fmt::format("cc_cube_exchange: dimension count {} is not in 0 .. 31", dimension_count));
  }
  return {std::size_t{1} << dimension_count, std::vector<Step>(static_cast<std::size_t>(dimension_count))};
}

/// The whole of what a rank sends in a stage.
Message stage_message(int dimension_count, int stage, Rank from) {
  return stage_message(dimension_count, stage, from, 0, std::uint32_t{1} << (dimension_count - 1));
}

}  // namespace

// Position number n from above: the bits of 2^(d-1) - 1 - n, with the stage's bit put in.
Message stage_message(int dimension_count, int stage, Rank from, std::uint32_t first, std::uint32_t last) {
  const std::uint32_t stage_bit = std::uint32_t{1} << stage;
  const std::uint32_t highest = (std::uint32_t{1} << (dimension_count - 1)) - 1;
  Message message{from, neighbour(from, stage), {}};
  message.blocks.reserve(last - first);
  for (std::uint32_t n = first; n < last; ++n) {
    const std::uint32_t others = highest - n;
    const std::uint32_t crossed = others & (stage_bit - 1);
    const std::uint32_t position = ((others - crossed) << 1) | stage_bit | crossed;
    const std::uint32_t source = label(from) ^ crossed;
    message.blocks.push_back({static_cast<Rank>(source), static_cast<Rank>(source ^ position)});
  }
  return message;
}

Schedule cc_cube_exchange(int dimension_count) {
  Schedule schedule = empty_schedule(dimension_count);
  for (int stage = 0; stage < dimension_count; ++stage) {
    Step& step = schedule.steps[static_cast<std::size_t>(stage)];
    for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
      step.push_back(stage_message(dimension_count, stage, static_cast<Rank>(r)));
    }
  }
  return schedule;
}

Schedule cc_cube_exchange_part(int dimension_count, Rank rank) {
  Schedule part = empty_schedule(dimension_count);
  if (label(rank) >= part.rank_count) {
    throw std::invalid_argument(
        fmt::format("cc_cube_exchange_part: rank {} is not below {}", label(rank), part.rank_count));
  }
  for (int stage = 0; stage < dimension_count; ++stage) {
    Step& step = part.steps[static_cast<std::size_t>(stage)];
    const Rank peer = neighbour(rank, stage);
    step.push_back(stage_message(dimension_count, stage, std::min(rank, peer)));
    step.push_back(stage_message(dimension_count, stage, std::max(rank, peer)));
  }
  return part;
}

// A node sends one message in a stage, and a link carries one for each pair of neighbours whose route it is on.
namespace {

/// What the busiest link carries where all ranks send along a dimension.
std::uint64_t busiest_of_dimension(const Placement& placement, int dimension, Tie tie) {
  return closed_form::applies_to(placement) ? closed_form::busiest_link(placement, dimension, tie)
                                            : busiest_link(placement, std::vector{dimension}, tie);
}

}  // namespace

ExchangeCost cc_cube_exchange_cost(const Placement& placement, Tie tie) {
  ExchangeCost cost;
  const std::uint64_t blocks = placement.rank_count() / 2;
  for (const int stage : all_dimensions(placement)) {
    cost.add({1, busiest_of_dimension(placement, stage, tie) * blocks, 1, Waits::each});
    cost.sent_blocks += static_cast<double>(blocks);
  }
  return cost;
}

const ExchangeDescriptor cc_cube_algorithm{
    {.name = "cc-cube",
     .examples = "cc-cube, cc-cube:8",
     .summary = "one stage for each hypercube dimension, in this many packets where a number is given",
     .fewest_numbers = 0,
     .most_numbers = 1,
     .is_free_of_conflicts = false,
     .depends_on_placement = true},
    on_powers_of_two,
    [](const ExchangeInputs& in) {
      return in.numbers.empty() ? cc_cube_exchange(dimension_count(in.placement))
                                : pipelined_cc_cube_exchange(in.placement, in.numbers[0], in.ports, in.tie);
    },
    [](const ExchangeInputs& in, Rank rank) {
      return in.numbers.empty()
                 ? cc_cube_exchange_part(dimension_count(in.placement), rank)
                 : pipelined_cc_cube_exchange_part(in.placement, in.numbers[0], in.ports, in.tie, rank);
    },
    [](const ExchangeInputs& in) {
      return in.numbers.empty() ? cc_cube_exchange_cost(in.placement, in.tie)
                                : PipelinedCcCubeCosts(in.placement, in.ports, in.tie).of(in.numbers[0]);
    }};

}  // namespace cubefold
