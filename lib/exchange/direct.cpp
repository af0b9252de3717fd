#include "cubefold/exchange/direct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold {

namespace {

Schedule empty_schedule(int dimension_count) {
  if (dimension_count < 0 || dimension_count > 31) {
    throw std::invalid_argument(
        fmt::format("direct_exchange: dimension count {} is not in 0 .. 31", dimension_count));
  }
  const std::size_t rank_count = std::size_t{1} << dimension_count;
  return {rank_count, std::vector<Step>(rank_count - 1)};
}

Rank partner(Rank rank, std::size_t step) {
  return static_cast<Rank>(label(rank) ^ static_cast<std::uint32_t>(step + 1));
}

Message message(Rank from, Rank to) {
  return {from, to, {{from, to}}};
}

}  // namespace

Schedule direct_exchange(int dimension_count) {
  Schedule schedule = empty_schedule(dimension_count);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
      const auto from = static_cast<Rank>(r);
      schedule.steps[step].push_back(message(from, partner(from, step)));
    }
  }
  return schedule;
}

Schedule direct_exchange_part(int dimension_count, Rank rank) {
  Schedule part = empty_schedule(dimension_count);
  if (label(rank) >= part.rank_count) {
    throw std::invalid_argument(
        fmt::format("direct_exchange_part: rank {} is not below {}", label(rank), part.rank_count));
  }
  for (std::size_t step = 0; step < part.steps.size(); ++step) {
    const auto [lower, upper] = std::minmax({rank, partner(rank, step)});
    part.steps[step] = {message(lower, upper), message(upper, lower)};
  }
  return part;
}

}  // namespace cubefold
