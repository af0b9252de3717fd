#pragma once

#include <random>
#include <set>
#include <utility>

#include "cubefold/plan/mapping.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {

/// Returns a phase in which `count` random pairs of ranks send 1 to 5 messages each. A pair may come up again, and a
/// rank may send to itself.
inline Phase random_phase(std::size_t rank_count, int count, std::mt19937_64& generator) {
  Phase phase{"random", 1 + static_cast<double>(generator() % 3), {}};
  const auto any = [&] { return static_cast<Rank>(generator() % rank_count); };
  for (int i = 0; i < count; ++i) {
    const Rank from = any();
    phase.traffic.push_back({from, any(), 1 + static_cast<double>(generator() % 5)});
  }
  return phase;
}

inline Phase random_lcc_phase(int bits, std::mt19937_64& generator) {
  const auto kind = static_cast<LccKind>(generator() % 3);
  return phase_of(random_lcc(bits, kind, generator), "linear", 1 + static_cast<double>(generator() % 3));
}

/// Returns a halo exchange in which rank r runs on node r. Every rank sends one message to every other rank whose node
/// is at most one step away on each axis and differs on at most `diagonals` axes. Wrapped axes are crossed at their
/// ends.
inline Phase stencil(const Grid& grid, int diagonals) {
  Phase phase{"stencil", 1, {}};
  std::set<std::pair<Rank, Rank>> pairs;
  int offsets = 1;
  for (int axis = 0; axis < grid.axis_count(); ++axis) offsets *= 3;
  for (std::uint32_t n = 0; n < grid.node_count(); ++n) {
    for (int offset = 0; offset < offsets; ++offset) {
      auto at = grid.coordinates(static_cast<GridNode>(n));
      int moved = 0;
      bool exists = true;
      int rest = offset;
      for (int axis = 0; axis < grid.axis_count(); ++axis, rest /= 3) {
        if (rest % 3 == 0) continue;
        ++moved;
        auto& x = at[static_cast<std::size_t>(axis)];
        const auto extent = grid.extent(axis);
        const bool up = rest % 3 == 1;
        if (!grid.has_wrap_link(axis) && (up ? x + 1 == extent : x == 0)) exists = false;
        x = (x + (up ? 1 : extent - 1)) % extent;
      }
      if (!exists || moved > diagonals) continue;
      const std::pair pair{static_cast<Rank>(n), static_cast<Rank>(grid.node_at(at))};
      if (pair.first != pair.second && pairs.insert(pair).second)
        phase.traffic.push_back({pair.first, pair.second});
    }
  }
  return phase;
}

}  // namespace cubefold
