#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/lcc/lcc.hpp"
#include "cubefold/topology/link_loads.hpp"

namespace cubefold {

/// Returns the number of messages on the busiest link of each dimension, as an oracle for contention(). It counts the
/// links on the route of every message of all phases.
inline std::vector<std::uint64_t> counted_on_links(std::span<const Lcc> phases) {
  const Grid cube(std::vector<std::uint32_t>(static_cast<std::size_t>(phases.front().bit_count()), 2),
                  Ends::open);
  LinkLoads loads(cube, Tie::positive);
  for (const Lcc& lcc : phases) {
    for (const auto& m : messages(lcc)) {
      loads.add(static_cast<GridNode>(label(m.source)), static_cast<GridNode>(label(m.destination)));
    }
  }
  std::vector<std::uint64_t> busiest(static_cast<std::size_t>(cube.axis_count()));
  for (const Link& link : links_of(cube)) {
    auto& most = busiest[static_cast<std::size_t>(link.axis)];
    most = std::max(most, loads.on(link));
  }
  return busiest;
}

}  // namespace cubefold
