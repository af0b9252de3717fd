#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "schedule/collective.hpp"

namespace cubefold {

/// A schedule with the collective that it performs.
struct CollectiveSchedule {
  std::string name;
  Collective collective;
  Schedule schedule;
};

/// Returns the chunks [first, first + count), modulo chunk_count.
inline std::vector<Block> chunks_from(std::uint32_t first, std::uint32_t count, std::uint32_t chunk_count) {
  std::vector<Block> chunks;
  for (std::uint32_t k = 0; k < count; ++k) chunks.push_back(numbered_chunk((first + k) % chunk_count));
  return chunks;
}

/// Returns p - 1 steps in which each rank r sends its neighbour r + 1 the chunks of rank r + first - k, in step k.
inline std::vector<Step> ring_steps(std::uint32_t p, std::uint32_t first, std::uint32_t per_rank,
                                    bool reduces) {
  std::vector<Step> steps;
  for (std::uint32_t k = 0; k + 1 < p; ++k) {
    Step& step = steps.emplace_back();
    for (std::uint32_t r = 0; r < p; ++r) {
      const std::uint32_t owner = (r + first + p - k) % p;
      step.push_back(
          {Rank{r}, Rank{(r + 1) % p}, chunks_from(owner * per_rank, per_rank, p * per_rank), reduces});
    }
  }
  return steps;
}

inline CollectiveSchedule ring_allgather(std::uint32_t p, std::uint32_t per_rank = 1) {
  return {"ring allgather", Collective::allgather(p, per_rank), {p, ring_steps(p, 0, per_rank, false)}};
}

inline CollectiveSchedule ring_reduce_scatter(std::uint32_t p, std::uint32_t per_rank = 1) {
  return {"ring reduce-scatter",
          Collective::reduce_scatter(p, per_rank),
          {p, ring_steps(p, p - 1, per_rank, true)}};
}

/// Returns a ring reduce-scatter and a ring allgather.
inline CollectiveSchedule ring_allreduce(std::uint32_t p, std::uint32_t per_rank = 1) {
  Schedule schedule = ring_reduce_scatter(p, per_rank).schedule;
  for (Step& step : ring_steps(p, 0, per_rank, false)) schedule.steps.push_back(std::move(step));
  return {"ring allreduce", Collective::allreduce(p, std::size_t{p} * per_rank), std::move(schedule)};
}

/// Returns recursive doubling of all chunks. The ranks from the largest power of two on first send theirs to a rank
/// below it, and get the result at the end.
inline CollectiveSchedule doubling_allreduce(std::uint32_t p, std::uint32_t chunk_count = 1) {
  const std::uint32_t q = std::bit_floor(p);
  const auto all = chunks_from(0, chunk_count, chunk_count);
  Schedule schedule{p, {}};
  Step before;
  Step after;
  for (std::uint32_t r = q; r < p; ++r) {
    before.push_back({Rank{r}, Rank{r - q}, all, true});
    after.push_back({Rank{r - q}, Rank{r}, all, false});
  }
  if (p > q) schedule.steps.push_back(before);
  for (std::uint32_t bit = 1; bit < q; bit *= 2) {
    Step& step = schedule.steps.emplace_back();
    for (std::uint32_t r = 0; r < q; ++r) step.push_back({Rank{r}, Rank{r ^ bit}, all, true});
  }
  if (p > q) schedule.steps.push_back(after);
  return {"doubling allreduce", Collective::allreduce(p, chunk_count), std::move(schedule)};
}

/// Returns recursive doubling with operands in the order of the ranks. Requires that p is a power of two.
inline CollectiveSchedule ordered_allreduce(std::uint32_t p) {
  CollectiveSchedule made = doubling_allreduce(p);
  made.name = "ordered allreduce";
  for (Step& step : made.schedule.steps)
    for (Message& message : step) message.arrives_left = message.from < message.to;
  return made;
}

/// Returns recursive halving of p chunks and then doubling. Requires that p is a power of two.
inline CollectiveSchedule halving_allreduce(std::uint32_t p) {
  Schedule schedule{p, {}};
  std::vector<Step> back;
  for (std::uint32_t bit = p / 2; bit > 0; bit /= 2) {
    Step& step = schedule.steps.emplace_back();
    Step& opposite = back.emplace_back();
    for (std::uint32_t r = 0; r < p; ++r) {
      const std::uint32_t peer = r ^ bit;
      step.push_back({Rank{r}, Rank{peer}, chunks_from(peer & ~(bit - 1), bit, p), true});
      opposite.push_back({Rank{r}, Rank{peer}, chunks_from(r & ~(bit - 1), bit, p), false});
    }
  }
  schedule.steps.insert(schedule.steps.end(), back.rbegin(), back.rend());
  return {"halving allreduce", Collective::allreduce(p, p), std::move(schedule)};
}

/// Returns an allreduce in which rank 0 reduces the chunk of one rank after the other, and then sends the result.
inline CollectiveSchedule rooted_allreduce(std::uint32_t p) {
  Schedule schedule{p, {}};
  Step results;
  for (std::uint32_t r = 1; r < p; ++r) {
    schedule.steps.push_back({{Rank{r}, Rank{0}, {numbered_chunk(0)}, true}});
    results.push_back({Rank{0}, Rank{r}, {numbered_chunk(0)}});
  }
  if (p > 1) schedule.steps.push_back(results);
  return {"rooted allreduce", Collective::allreduce(p, 1), std::move(schedule)};
}

/// Returns schedules of all kinds for p ranks.
inline std::vector<CollectiveSchedule> collective_schedules(std::uint32_t p) {
  std::vector<CollectiveSchedule> all{
      ring_allgather(p),         ring_allgather(p, 3),     ring_reduce_scatter(p),
      ring_reduce_scatter(p, 2), ring_allreduce(p),        ring_allreduce(p, 2),
      doubling_allreduce(p),     doubling_allreduce(p, 5), rooted_allreduce(p)};
  if (std::has_single_bit(p)) all.push_back(halving_allreduce(p));
  if (std::has_single_bit(p)) all.push_back(ordered_allreduce(p));
  return all;
}

}  // namespace cubefold
