#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cubefold {

/// Of each vertex the others that must not have its colour.
using ConflictGraph = std::vector<std::vector<std::uint32_t>>;

/// A colour below `colour_count` for each vertex; nothing if there is none, or if none was found.
using Colouring = std::optional<std::vector<std::uint32_t>>;

/// Branch and bound after Brelaz's DSATUR: the vertex with the fewest colours left is next, among these the one with
/// most neighbours. `is_proven` says that nothing means none: the search ended before its last branch. O(branches *
/// (vertices + neighbours)), 2 bytes a vertex and colour.
struct ExactColouring {
  Colouring colouring;
  bool is_proven;
};
ExactColouring colour_exactly(const ConflictGraph& graph, std::uint32_t colour_count, std::size_t branches);

/// Tabu search after Hertz and de Werra: always the best change of one vertex in conflict that was not undone lately.
/// Finds what branch and bound does not where colours are scarce; the same answer every time.
/// O(starts * moves * vertices in conflict * colours).
struct TabuLimits {
  std::uint32_t starts;  ///< from colours drawn anew
  std::size_t moves;     ///< of each start
};
Colouring colour_by_tabu(const ConflictGraph& graph, std::uint32_t colour_count, TabuLimits limits);

}  // namespace cubefold
