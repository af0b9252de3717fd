#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The neighbours of every vertex of a graph, in ascending order. If a is a neighbour of b, b is one of a.
using Neighbours = std::vector<std::vector<std::uint32_t>>;

/// A cable between two vertices of a graph.
struct GraphEdge {
  std::uint32_t one;
  std::uint32_t other;

  bool operator==(const GraphEdge&) const = default;
  friend bool operator<(const GraphEdge& a, const GraphEdge& b) {
    return a.one != b.one ? a.one < b.one : a.other < b.other;
  }
};

/// A grid, and the node of it that each vertex of a graph is.
struct RecognisedGrid {
  Grid grid;
  std::vector<GridNode> node_of_vertex;
};

/// Says why a graph is no grid: the edges that contradict each other, of which there are one or two, and the rule.
struct NoGrid {
  std::vector<GraphEdge> edges;
  std::string rule;
};

/// Returns the product of lines and rings that the graph is, with axes in ascending order of extents. A ring of 4 is a
/// product of two lines of 2, and appears as these. Vertex 0 is in the lower half of every line and at coordinate 0 of
/// every ring. The result is exact: the nodes are a bijection under which the edges are the links of the grid.
///
/// Two edges at a vertex belong to one axis exactly if they are in no common square. Axes are carried from vertex to
/// vertex along squares. Costs O(vertices * degree^3).
CUBEFOLD_API std::variant<RecognisedGrid, NoGrid> recognised_grid(const Neighbours& neighbours);

/// Returns the recognised grid as the wanted one, with its order of axes, and with two lines of 2 for every ring of 4.
/// Returns nothing if the grids differ. Requires that neither has a route table.
CUBEFOLD_API std::optional<RecognisedGrid> as_grid(const RecognisedGrid& found, const Grid& wanted);

/// Returns the grid with pairs of its lines of 2 as rings of 4 if all its other axes are rings, and if there are any:
/// 3 x 3 x 2 x 2 is the torus 3 x 3 x 4.
CUBEFOLD_API Grid with_rings_of_four(const Grid& grid);

}  // namespace cubefold
