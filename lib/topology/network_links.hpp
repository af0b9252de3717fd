#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Two neighbours that are joined by a link in each direction.
using Cable = std::pair<std::uint32_t, std::uint32_t>;

/// Returns the links of a grid without a route table.
std::vector<TableLink> grid_links(const Grid& grid);

/// Returns the number of nodes and switches of a grid with a route table or without one.
std::size_t vertex_count_of(const Grid& network);

/// Returns the links of a grid with a route table or without one. Costs O(links).
std::vector<TableLink> table_links_of(const Grid& network);

/// Sorts links as a RouteTable needs them.
void sort_links(std::vector<TableLink>& links);

/// Returns the number of every link in such an order, by its ends.
std::map<Cable, std::uint32_t> link_numbers(const std::vector<TableLink>& links);

/// Returns the links of a torus with two axes in which a link round axis 0 changes the coordinate on axis 1, too: by
/// `twist` upwards, and by as much the other way downwards. Two nodes have at most one link in each direction.
std::vector<TableLink> twisted_links(const Grid& torus, std::uint32_t twist);

/// Returns links between every two nodes that differ in exactly one coordinate.
std::vector<TableLink> hyperx_links(const Grid& grid);

/// Returns the links without those of some cables. Throws std::invalid_argument for a cable that is not among them.
std::vector<TableLink> without_cables(std::vector<TableLink> links, const std::vector<Cable>& cables);

}  // namespace cubefold
