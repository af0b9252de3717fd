#include "modular.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold {

void require_rank_count(const char* function, std::size_t rank_count) {
  if (rank_count >= 1 && rank_count <= std::size_t{1} << 31) return;
  throw std::invalid_argument(fmt::format("{}: {} ranks are not in 1 .. 2^31", function, rank_count));
}

void require_radix(const char* function, std::size_t rank_count, std::uint32_t radix) {
  require_rank_count(function, rank_count);
  const auto largest = std::max<std::size_t>(2, rank_count);
  if (radix >= 2 && radix <= largest) return;
  throw std::invalid_argument(fmt::format("{}: radix {} is not in 2 .. {}", function, radix, largest));
}

void require_rank(const char* function, Rank rank, std::size_t rank_count) {
  if (label(rank) < rank_count) return;
  throw std::invalid_argument(fmt::format("{}: rank {} is not below {}", function, label(rank), rank_count));
}

}  // namespace cubefold
