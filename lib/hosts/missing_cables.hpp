#pragma once

#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "grid_recognition.hpp"

namespace cubefold {

/// A grid, and the edges of it that a graph lacks.
struct RepairedGrid {
  RecognisedGrid found;
  std::vector<GraphEdge> missing;
};

/// Returns the vertices with fewer neighbours than most vertices have, in ascending order.
CUBEFOLD_API std::vector<std::uint32_t> deficient_vertices(const Neighbours& neighbours);

/// Returns the grid that the graph becomes if its deficient vertices are joined until all vertices have as many
/// neighbours as most have now. This repairs tori and hypercubes, whose vertices all have the same degree. Returns
/// nothing if there is no such grid; if more than 8 edges are missing, or more than 2 and a sixteenth of the present
/// ones; or if it is not among the first 1000 ways to join the vertices.
CUBEFOLD_API std::optional<RepairedGrid> repaired_grid(const Neighbours& neighbours);

/// Returns the graph with more edges.
CUBEFOLD_API Neighbours with_edges(Neighbours neighbours, const std::vector<GraphEdge>& edges);

}  // namespace cubefold
