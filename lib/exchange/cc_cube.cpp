#include "cubefold/exchange/cc_cube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold {

namespace {

Schedule empty_schedule(int dimension_count) {
  if (dimension_count < 0 || dimension_count > 31) {
    throw std::invalid_argument(
        fmt::format("cc_cube_exchange: dimension count {} is not in 0 .. 31", dimension_count));
  }
  return {std::size_t{1} << dimension_count, std::vector<Step>(static_cast<std::size_t>(dimension_count))};
}

/// What a rank sends in a stage. A block's position is source xor destination, the dimensions that it has to
/// cross; before stage i it has crossed those below i.
Message stage_message(int dimension_count, int stage, Rank from) {
  const std::uint32_t stage_bit = std::uint32_t{1} << stage;
  const std::uint32_t rank_count = std::uint32_t{1} << dimension_count;
  Message message{from, neighbour(from, stage), {}};
  message.blocks.reserve(rank_count / 2);
  for (std::uint32_t position = rank_count; position-- > 0;) {
    if ((position & stage_bit) == 0) continue;
    const std::uint32_t source = label(from) ^ (position & (stage_bit - 1));
    message.blocks.push_back({static_cast<Rank>(source), static_cast<Rank>(source ^ position)});
  }
  return message;
}

}  // namespace

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

}  // namespace cubefold
