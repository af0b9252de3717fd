#pragma once

#include <cstddef>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "schedule/step_source.hpp"

namespace cubefold {

/// Complete exchange of p ranks all at once: in a single step every rank sends every other its block, rank r first to r
/// + 1, then to r + 2, ..., mod p, as the basic linear all-to-all of MPI libraries does. One step of p - 1 start-ups
/// and p - 1 blocks sent per rank, the fewest that there are. Full of conflicts of every kind from p = 3 on: it leaves
/// all to the network. Throws std::invalid_argument unless 1 <= rank_count <= 2^31. O(p^2).
CUBEFOLD_API Schedule linear_exchange(std::size_t rank_count);

/// part_of(linear_exchange(rank_count), rank) in O(p). Throws std::invalid_argument for a rank that is not below
/// rank_count, and as above.
CUBEFOLD_API Schedule linear_exchange_part(std::size_t rank_count, Rank rank);

/// What linear_exchange() costs on a grid, under any placement. O(axes).
CUBEFOLD_API ExchangeCost linear_exchange_cost(const Grid& grid, Ports ports, Tie tie);

/// Complete exchange of p ranks by shifts: in step k = 0 .. p - 2 rank r sends one block to r + k + 1 mod p. p - 1
/// steps, as many start-ups, and as many blocks sent per rank: with one port none sends less. One-port; messages of a
/// step share links wherever they have more than one hop in common. Throws std::invalid_argument unless 1 <= rank_count
/// <= 2^31. O(p^2).
CUBEFOLD_API Schedule shifted_exchange(std::size_t rank_count);

/// The same, each step made when it is asked for.
CUBEFOLD_API StepSource shifted_exchange_steps(std::size_t rank_count);

/// part_of(shifted_exchange(rank_count), rank) in O(p). Throws std::invalid_argument for a rank that is not below
/// rank_count, and as above.
CUBEFOLD_API Schedule shifted_exchange_part(std::size_t rank_count, Rank rank);

/// What shifted_exchange() costs under a placement. O(p axes) where rank n sits on node n, else O(p^2 axes).
CUBEFOLD_API ExchangeCost shifted_exchange_cost(const Placement& placement, Ports ports, Tie tie);

}  // namespace cubefold
