#include "cc_cube_time.hpp"

#include <algorithm>
#include <cstdint>

#include "cube_links.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

namespace {

/// A rank's past, in hops.
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
