#pragma once

#include <cstddef>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Builds a complete exchange of p ranks in a single step. Every rank sends every other rank its block: rank r first to
/// r + 1, then to r + 2, ..., mod p, as the basic linear all-to-all of MPI libraries does. The step has p - 1 start-ups
/// and p - 1 blocks sent per rank; no exchange sends fewer blocks. From p = 3 on, messages conflict on links and ports,
/// and the network has to put them in order. Throws std::invalid_argument unless 1 <= rank_count <= 2^31. Costs O(p^2).
CUBEFOLD_API Schedule linear_exchange(std::size_t rank_count);

/// Returns part_of(linear_exchange(rank_count), rank) in O(p). Throws what linear_exchange() throws, and
/// std::invalid_argument for a rank that is not below rank_count.
CUBEFOLD_API Schedule linear_exchange_part(std::size_t rank_count, Rank rank);

/// Returns the cost of linear_exchange() on a grid, which is the same under any placement. Costs O(axes), or O(p^2)
/// with a route table.
CUBEFOLD_API ExchangeCost linear_exchange_cost(const Grid& grid, Ports ports, Tie tie);

/// Builds a complete exchange of p ranks by shifts: in step k = 0 .. p - 2 rank r sends one block to r + k + 1 mod p.
/// There are p - 1 steps, p - 1 start-ups, and p - 1 blocks sent per rank; no exchange sends fewer blocks. The schedule
/// is one-port. Messages of a step share links wherever they travel more than one hop. Throws std::invalid_argument
/// unless 1 <= rank_count <= 2^31. Costs O(p^2).
CUBEFOLD_API Schedule shifted_exchange(std::size_t rank_count);

/// Returns part_of(shifted_exchange(rank_count), rank) in O(p). Throws what shifted_exchange() throws, and
/// std::invalid_argument for a rank that is not below rank_count.
CUBEFOLD_API Schedule shifted_exchange_part(std::size_t rank_count, Rank rank);

/// Returns the cost of shifted_exchange() under a placement. Costs O(p axes) if rank n runs on node n for every n, and
/// O(p^2 axes) otherwise.
CUBEFOLD_API ExchangeCost shifted_exchange_cost(const Placement& placement, Ports ports, Tie tie);

}  // namespace cubefold
