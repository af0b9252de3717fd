#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Two neighbours that are joined by a link in each direction.
using Cable = std::pair<std::uint32_t, std::uint32_t>;

/// Returns the links of a grid without a route table.
std::vector<TableLink> grid_links(const Grid& grid);

/// Returns the links of a torus with two axes in which a link round axis 0 changes the coordinate on axis 1, too: by
/// `twist` upwards, and by as much the other way downwards. Two nodes have at most one link in each direction.
std::vector<TableLink> twisted_links(const Grid& torus, std::uint32_t twist);

/// Returns links between every two nodes that differ in exactly one coordinate.
std::vector<TableLink> hyperx_links(const Grid& grid);

/// Returns the links without those of some cables. Throws std::invalid_argument for a cable that is not among them.
std::vector<TableLink> without(std::vector<TableLink> links, const std::vector<Cable>& cables);

/// Reads a network from a JSON file. It has
///
///     nodes    a list of names; process n is the node with the n-th name
///     axes     optional: a list of extents whose product is the number of nodes; the nodes are numbered along them
///     cables   a list of [one node, other node] or [one node, other node, rate], each a link both ways
///     links    a list of [from, to] or [from, to, rate], each a link one way; a file has cables, links or both
///     routes   optional: a list of routes, each a list of nodes from the first to the last, for every two nodes; the
///              routes to a node must agree on the way from the nodes that they share
///
/// Rates are in any unit; the default is 1. Without routes, the network gets balanced_routes(). Throws
/// std::invalid_argument with the file's name and the entry for a file that is not like this.
CUBEFOLD_API Grid read_network(const std::string& file);

}  // namespace cubefold
