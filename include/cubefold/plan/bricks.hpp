#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A Cartesian grid of ranks that is cut into equal bricks, such as a grid of 16x12x8 into bricks of 1x2x2. The ranks
/// of a brick share a node, in place of consecutive ranks. Ranks are numbered as MPI_Cart_create numbers them, with the
/// last axis fastest. A halo exchange sends fewer messages between bricks than between blocks of consecutive ranks.
struct Bricks {
  std::vector<std::uint32_t> ranks;  ///< the extents of the grid of ranks
  std::vector<std::uint32_t> brick;  ///< the extents of a brick, each of which divides that of the ranks

  bool operator==(const Bricks&) const = default;
};

/// Reads the extents of a grid of ranks, such as `16x12x8`. Throws std::invalid_argument, with the text and the rule,
/// if there are none or more than 64, for an extent that is no positive number, and for more than 2^31 ranks.
CUBEFOLD_API std::vector<std::uint32_t> parse_ranks(std::string_view text);

/// Reads a text `RANKS/BRICK`, such as `16x12x8/1x2x2`. Throws std::invalid_argument, with the text and the rule, as
/// parse_ranks() does, and if the brick has another number of axes or an extent that does not divide that of the ranks.
CUBEFOLD_API Bricks parse_bricks(std::string_view text);

/// Returns the text that parse_bricks() reads.
CUBEFOLD_API std::string to_string(const Bricks& bricks);

/// Returns the number of ranks in a brick.
CUBEFOLD_API std::size_t brick_size(const Bricks& bricks);

/// Returns the number of each rank if the ranks are counted brick by brick: number / brick_size() is the brick of the
/// rank. Bricks, and ranks within a brick, are counted with the last axis fastest. Costs O(ranks * axes).
CUBEFOLD_API std::vector<Rank> numbers_by_bricks(const Bricks& bricks);

/// Returns the phases with these numbers in place of ranks. Throws std::invalid_argument for a rank that the grid of
/// ranks does not have.
CUBEFOLD_API std::vector<Phase> numbered_by_bricks(std::span<const Phase> phases, const Bricks& bricks);

/// Returns the placement with the smallest objective of those that are searched, as the other choose_placement() does,
/// but it places bricks in place of groups of consecutive ranks. Bricks are counted with the last axis fastest. Throws
/// std::invalid_argument as the other one does, and if brick_size() is not options.per_node.
CUBEFOLD_API Mapping choose_placement(const Grid& grid, std::span<const Phase> phases, const Bricks& bricks,
                                      MappingOptions options);

/// The bricks that were chosen, or nothing if consecutive ranks share a node, and where they are.
struct BrickMapping {
  std::optional<Bricks> bricks;
  Mapping mapping;
};

/// Returns the best mapping of consecutive ranks and of at most eight sorts of bricks: those with the smallest surfaces
/// within the grid of ranks, which send the fewest messages in a halo exchange. Consecutive ranks win ties. Each gets
/// an equal part of options.effort. With options.per_node 1, and with more than 6 axes that are longer than 1, there
/// are only consecutive ranks. options.starts place consecutive ranks. Throws std::invalid_argument as
/// choose_placement() does, and if the ranks are not grid.node_count() * options.per_node.
CUBEFOLD_API BrickMapping choose_bricks(const Grid& grid, std::span<const Phase> phases,
                                        const std::vector<std::uint32_t>& ranks, MappingOptions options);

}  // namespace cubefold
