#include <utility>

#include "table_search.hpp"

namespace cubefold {

std::vector<GridNode> best_of_all(MovingLoads& loads, std::span<const GridNode> start, double enough) {
  loads.move_all_to(start);
  auto best = loads.nodes();
  auto value = loads.value();
  const auto rank_count = static_cast<std::uint32_t>(loads.rank_count());
  std::vector<std::uint32_t> swaps_of(
      rank_count);  // how often each rank has changed places with one before it
  for (std::uint32_t rank = 1; rank < rank_count && value.objective > enough + tolerance_of(enough);) {
    if (swaps_of[rank] == rank) {
      swaps_of[rank++] = 0;
      continue;
    }
    loads.swap(rank % 2 == 0 ? 0 : swaps_of[rank], rank);
    ++swaps_of[rank];
    rank = 1;
    if (!is_better(loads.value(), value)) continue;
    best = loads.nodes();
    value = loads.value();
  }
  return best;
}

}  // namespace cubefold
