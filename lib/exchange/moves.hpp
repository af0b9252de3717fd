#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Describes a message as one of its ends sees it: its step and the node at the other end.
struct Move {
  std::size_t step;
  GridNode peer;

  bool operator==(const Move&) const = default;
};

/// Holds the messages that one node sends and receives, each in the order of the steps.
struct Moves {
  std::vector<Move> sends;
  std::vector<Move> receives;

  bool operator==(const Moves&) const = default;
};

inline void sort_by_step(Moves& moves) {
  const auto earlier = [](const Move& a, const Move& b) { return a.step < b.step; };
  std::stable_sort(moves.sends.begin(), moves.sends.end(), earlier);
  std::stable_sort(moves.receives.begin(), moves.receives.end(), earlier);
}

}  // namespace cubefold
