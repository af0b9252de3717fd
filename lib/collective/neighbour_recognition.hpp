#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "schedule/neighbour_grid.hpp"

namespace cubefold {

/// The most neighbour grids that are compared, and the most edges of a rank of which any is looked for.
inline constexpr std::size_t most_neighbour_grids = 64;
inline constexpr std::size_t most_recognised_edges = 256;

/// Returns neighbour grids in which the edges of a rank lead to these destinations, best first: by the messages of a
/// rank that combines blocks, then by axes. Their ranks are numbered row by row, as MPI_Cart_create numbers them, on
/// 1 to 4 axes of extents of 2 and more. An open axis of extent 2 counts as wrapped, so that all its ranks have the
/// same offsets. Leaves out grids on which combining saves no message. Returns at most most_neighbour_grids, and none
/// for more than most_recognised_edges. Costs O(grids edges), of at most 10 000 grids.
CUBEFOLD_API std::vector<NeighbourGrid> possible_neighbour_grids(std::size_t rank_count, Rank rank,
                                                                 std::span<const Rank> destinations);

/// Returns whether the edges of a rank in the grid are those from these sources and to these destinations, in any
/// order. Costs O(edges (axes + log edges)).
CUBEFOLD_API bool has_edges(const NeighbourGrid& grid, Rank rank, std::span<const Rank> sources,
                            std::span<const Rank> destinations);

}  // namespace cubefold
