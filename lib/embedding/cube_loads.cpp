#include "cube_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "cubefold/topology/route.hpp"

namespace cubefold {

std::vector<int> all_dimensions(const Placement& placement) {
  std::vector<int> dimensions(static_cast<std::size_t>(dimension_count(placement)));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

LinkLoads cube_link_loads(const Placement& placement, std::span<const int> dimensions, Tie tie) {
  const int dimension_limit = dimension_count(placement);
  const auto nodes = node_of_rank(placement);
  LinkLoads loads(placement.grid(), tie);
  for (const int i : dimensions) {
    if (i < 0 || i >= dimension_limit) {
      throw std::invalid_argument(
          fmt::format("cube_link_loads: dimension {} is not in 0 .. {}", i, dimension_limit - 1));
    }
    for (std::size_t r = 0; r < nodes.size(); ++r) loads.add(nodes[r], nodes[r ^ (std::size_t{1} << i)]);
  }
  return loads;
}

std::uint64_t busiest_link(const Placement& placement, std::span<const int> dimensions, Tie tie) {
  return cube_link_loads(placement, dimensions, tie).busiest();
}

namespace {

/// Holds the time of a rank and how long it has waited, in hops.
struct Clock {
  std::uint64_t now = 0;
  std::uint64_t waited = 0;
};

}  // namespace

CcCubeTime cc_cube_time(const Placement& placement, const StageCosts& costs) {
  std::vector<Clock> clock_at(placement.rank_count());
  for_each_cube_link(placement, [&](int, GridNode a, GridNode b) {
    auto& one = clock_at[static_cast<std::size_t>(a)];
    auto& other = clock_at[static_cast<std::size_t>(b)];
    const auto both_ready = std::max(one.now, other.now);
    const auto hops = distance_hops(placement.grid(), a, b);
    for (Clock* clock : {&one, &other}) {
      clock->waited += both_ready - clock->now;
      clock->now = both_ready + hops;
    }
  });

  Clock last;
  double waited = 0;
  for (const Clock& clock : clock_at) {
    last.now = std::max(last.now, clock.now);
    last.waited = std::max(last.waited, clock.waited);
    waited += static_cast<double>(clock.waited);
  }
  return {
      static_cast<double>(last.now) * costs.hop_seconds + dimension_count(placement) * costs.compute_seconds,
      static_cast<double>(last.waited) * costs.hop_seconds,
      waited / static_cast<double>(clock_at.size()) * costs.hop_seconds};
}

}  // namespace cubefold
