#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cubefold {

/// Holds for each vertex the others that must not have its colour.
using ConflictGraph = std::vector<std::vector<std::uint32_t>>;

/// Holds a colour below `colour_count` for each vertex, or nothing if there is none or none was found.
using Colouring = std::optional<std::vector<std::uint32_t>>;

/// Holds the result of colour_exactly(). is_proven is false if the search ran out of branches, so that a colouring may
/// exist although none was found.
struct ExactColouring {
  Colouring colouring;
  bool is_proven;
};
/// Searches for a colouring by branch and bound after Brelaz's DSATUR: the next vertex is the one with the fewest
/// colours left, and among these the one with most neighbours. The search ends after `branches` branches. Costs
/// O(branches * (vertices + neighbours)), and memory of 2 bytes per vertex and colour.
ExactColouring colour_exactly(const ConflictGraph& graph, std::uint32_t colour_count, std::size_t branches);

/// Holds the limits of colour_by_tabu().
struct TabuLimits {
  std::uint32_t starts;  ///< number of starts, each from newly drawn colours
  std::size_t moves;     ///< number of moves of each start
};
/// Searches for a colouring by tabu search after Hertz and de Werra: each move makes the best change of one vertex in
/// conflict that does not give it back a colour that it lost lately. It finds colourings that branch and bound does not
/// find where colours are scarce. The answer is the same every time. Costs O(starts * moves * vertices in conflict *
/// colours).
Colouring colour_by_tabu(const ConflictGraph& graph, std::uint32_t colour_count, TabuLimits limits);

}  // namespace cubefold
