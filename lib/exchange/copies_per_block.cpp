#include "copies_per_block.hpp"

#include <cstddef>

#include "schedule/local_program.hpp"
#include "schedule/packing.hpp"

namespace cubefold {

double copies_per_block(const ExchangeMethod& method, const Placement& placement,
                        const NetworkRules& network) {
  const std::size_t rank_count = placement.rank_count();
  if (rank_count == 1) return 0;
  const std::size_t distance = rank_count > 128 ? 73 : 1;
  std::size_t copied = 0;
  std::size_t delivered = 0;
  for (std::size_t r = 0; r < rank_count; r += distance) {
    const auto rank = static_cast<Rank>(r);
    const Schedule part = exchange_part(method, placement, network, rank);
    copied += copied_blocks(local_program(part, rank)).forwarded();
    delivered += rank_count - 1;
  }
  return static_cast<double>(copied) / static_cast<double>(delivered);
}

}  // namespace cubefold
