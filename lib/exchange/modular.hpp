#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Throws std::invalid_argument that names the function unless 1 <= rank_count <= 2^31.
void require_rank_count(const char* function, std::size_t rank_count);

/// Throws std::invalid_argument as require_rank_count() does, and for a radix of a Bruck exchange below 2 or, where
/// there are more than two ranks, above their number.
void require_radix(const char* function, std::size_t rank_count, std::uint32_t radix);

/// Throws std::invalid_argument that names the function unless the rank is below rank_count.
void require_rank(const char* function, Rank rank, std::size_t rank_count);

/// The rank `offset` above another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_above(Rank rank, std::size_t offset, std::size_t rank_count) {
  return static_cast<Rank>((label(rank) + offset) % rank_count);
}

/// The rank `offset` below another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_below(Rank rank, std::size_t offset, std::size_t rank_count) {
  return rank_above(rank, rank_count - offset, rank_count);
}

/// Puts messages that were made one end at a time in the order of those who send them.
inline void sort_by_sender(Step& step) {
  std::stable_sort(step.begin(), step.end(),
                   [](const Message& a, const Message& b) { return a.from < b.from; });
}

}  // namespace cubefold
