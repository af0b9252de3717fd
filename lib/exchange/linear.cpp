#include "cubefold/exchange/linear.hpp"

#include "modular.hpp"

namespace cubefold {

namespace {

Message own_block(Rank from, Rank to) {
  return {from, to, {{from, to}}};
}

}  // namespace

Schedule linear_exchange(std::size_t rank_count) {
  require_rank_count("linear_exchange", rank_count);
  Schedule schedule{rank_count, {}};
  if (rank_count == 1) return schedule;
  Step& step = schedule.steps.emplace_back();
  for (std::size_t r = 0; r < rank_count; ++r) {
    const auto from = static_cast<Rank>(r);
    for (std::size_t offset = 1; offset < rank_count; ++offset) {
      step.push_back(own_block(from, rank_above(from, offset, rank_count)));
    }
  }
  return schedule;
}

Schedule linear_exchange_part(std::size_t rank_count, Rank rank) {
  require_rank_count("linear_exchange_part", rank_count);
  require_rank("linear_exchange_part", rank, rank_count);
  Schedule part{rank_count, {}};
  if (rank_count == 1) return part;
  Step& step = part.steps.emplace_back();
  for (std::size_t offset = 1; offset < rank_count; ++offset) {
    step.push_back(own_block(rank, rank_above(rank, offset, rank_count)));
    const Rank from = rank_below(rank, offset, rank_count);
    step.push_back(own_block(from, rank));
  }
  sort_by_sender(step);
  return part;
}

StepSource shifted_exchange_steps(std::size_t rank_count) {
  require_rank_count("shifted_exchange", rank_count);
  return {rank_count, rank_count - 1, [rank_count](std::size_t k) {
            Step step;
            step.reserve(rank_count);
            for (std::size_t r = 0; r < rank_count; ++r) {
              const auto from = static_cast<Rank>(r);
              step.push_back(own_block(from, rank_above(from, k + 1, rank_count)));
            }
            return step;
          }};
}

Schedule shifted_exchange(std::size_t rank_count) {
  return schedule_of(shifted_exchange_steps(rank_count));
}

Schedule shifted_exchange_part(std::size_t rank_count, Rank rank) {
  require_rank_count("shifted_exchange_part", rank_count);
  require_rank("shifted_exchange_part", rank, rank_count);
  Schedule part{rank_count, std::vector<Step>(rank_count - 1)};
  for (std::size_t k = 0; k < part.steps.size(); ++k) {
    part.steps[k] = {own_block(rank, rank_above(rank, k + 1, rank_count)),
                     own_block(rank_below(rank, k + 1, rank_count), rank)};
    sort_by_sender(part.steps[k]);
  }
  return part;
}

}  // namespace cubefold
