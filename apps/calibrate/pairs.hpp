#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

/// Who sends to whom while something is measured.
struct Pair {
  cubefold::GridNode from;
  cubefold::GridNode to;
};

/// Neighbours on an axis, of which the lower one's coordinate is odd or even: no two pairs have a node in common, and
/// no link of theirs is a wrap link.
struct NeighbourClass {
  int axis;
  bool odd;
  cubefold::Direction direction;
};

std::vector<Pair> pairs_of(const cubefold::Grid& grid, const NeighbourClass& which);

/// The classes that have any pairs; together all links of the axis but wrap links.
std::vector<NeighbourClass> classes_of(const cubefold::Grid& grid, int axis);

/// The axes that have links.
std::vector<int> axes_with_links(const cubefold::Grid& grid);

/// Two classes which, at work at once, have nodes that send to two neighbours or receive from two, each on a link of
/// its own. None where no node has two links.
std::optional<std::pair<NeighbourClass, NeighbourClass>> fork_of(const cubefold::Grid& grid);

/// As many messages with and without those over the wrap links of an axis. Where these lead the long way over the
/// axis's other links, those with meet others there. No two begin or end at one node; on an axis of extent 3 that
/// leaves nothing to meet, so with all ports a node there receives two.
struct WrapPairs {
  std::vector<Pair> with;
  std::vector<Pair> without;
};

/// Requires a wrap link on the axis. Upwards: from the last node to the first.
WrapPairs wrap_pairs(const cubefold::Grid& grid, int axis, cubefold::Direction direction,
                     cubefold::Ports ports);
