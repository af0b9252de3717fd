#pragma once

#include <string>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Reads a network from a JSON file. It has
///
///     nodes    a list of names; process n is the node with the n-th name
///     switches optional: a list of names of places that have no process and only pass messages on
///     axes     optional: a list of extents whose product is the number of nodes; the nodes are numbered along them
///     cables   a list of [one node, other node] or [one node, other node, rate], each a link both ways between
///              nodes or switches
///     links    a list of [from, to] or [from, to, rate], each a link one way; a file has cables, links or both
///     routes   optional: a list of routes, each a list of nodes and switches from the first to a node, so that there
///              is a way from every node to every other one; the routes to a node must agree on the way from the
///              places that they share, so parts of a longer route need not be listed, and nodes with one link need
///              no route of their own
///
/// Rates are in any unit, and none is more than 64 times another; the default is 1. Without routes, the network gets
/// balanced_routes(). Throws std::invalid_argument with the file's name and the entry for a file that is not like this,
/// and with the numbers of two nodes if no links lead from one to the other.
CUBEFOLD_API Grid read_network(const std::string& file);

}  // namespace cubefold
