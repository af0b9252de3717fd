#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

/// Describes a message of a measurement, from one node to another.
struct Pair {
  cubefold::GridNode from;
  cubefold::GridNode to;
};

/// Describes the pairs of neighbours on an axis whose lower coordinate is odd, or those whose lower coordinate is even.
/// No two pairs share a node, and no pair uses a wrap link. On a grid with a route table, all links belong to axis 0.
/// The pairs are then nodes with a cable between them, or with one or two switches, whose routes share no node and no
/// link, the slowest first; the odd ones are chosen among those that are left.
struct NeighbourClass {
  int axis;
  bool odd;
  cubefold::Direction direction;
};

std::vector<Pair> pairs_of(const cubefold::Grid& grid, const NeighbourClass& which);

/// Returns the classes of an axis that have pairs. Together they use all links of the axis except the wrap links. On a
/// grid with a route table they use some of the links.
std::vector<NeighbourClass> classes_of(const cubefold::Grid& grid, int axis);

/// Returns the axes that have links.
std::vector<int> axes_with_links(const cubefold::Grid& grid);

/// Throws std::invalid_argument if the grid has a route table and pairs_of() finds no pair: two nodes whose routes to
/// each other pass no other node and at most two switches.
void require_neighbours(const cubefold::Grid& grid);

/// Returns two classes that together contain nodes which send to two neighbours, or receive from two, each over a
/// separate link. Returns nothing if no node has two links.
std::optional<std::pair<NeighbourClass, NeighbourClass>> fork_of(const cubefold::Grid& grid);

/// Holds two sets of equally many messages, one with and one without the messages over the wrap links of an axis. If
/// there are no wrap links, these messages take the other links of the axis and meet the other messages there. No two
/// messages begin or end at the same node, with one exception: on an axis of extent 3 with all ports, one node receives
/// two messages, because the messages would share no link otherwise.
struct WrapPairs {
  std::vector<Pair> with;
  std::vector<Pair> without;
};

/// Builds the two sets. Requires a wrap link on the axis. In the positive direction, messages over wrap links go from
/// the last node of the axis to the first.
WrapPairs wrap_pairs(const cubefold::Grid& grid, int axis, cubefold::Direction direction,
                     cubefold::Ports ports);
