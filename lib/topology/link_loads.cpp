#include "cubefold/topology/link_loads.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cubefold {

LinkLoads::LinkLoads(Grid grid, Tie tie)
    : grid_(std::move(grid)), tie_(tie), loads_(link_index_count(grid_)) {}

void LinkLoads::add(GridNode from, GridNode to) {
  for (const Link& link : route(grid_, from, to, tie_)) ++loads_[link_index(grid_, link)];
}

std::uint64_t LinkLoads::busiest() const {
  return loads_.empty() ? 0 : *std::max_element(loads_.begin(), loads_.end());
}

std::uint64_t LinkLoads::total_hops() const {
  return std::accumulate(loads_.begin(), loads_.end(), std::uint64_t{0});
}

}  // namespace cubefold
