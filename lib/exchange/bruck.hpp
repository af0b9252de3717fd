#pragma once

#include <cstddef>
#include <cstdint>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Builds Bruck's complete exchange of any number p of ranks. It uses the digits in base r of a block's offset,
/// (destination - source) mod p. Phase k = 0, 1, ... < log_r p handles digit k: for each value v = 1 .. r - 1 of the
/// digit, every rank sends to rank + v r^k mod p all blocks that it holds with that value, in ascending order of
/// offset. The last phase leaves out values with v r^k >= p, so that no message is empty. A block travels once for each
/// digit of its offset that is not 0.
///
/// Messages sent per rank: the sum over phases k of min(r - 1, floor((p - 1) / r^k)), which is (r - 1) log_r p if p is
/// a power of r. Blocks sent per rank: the number of digits other than 0 in all numbers below p, which is (r - 1) / r p
/// log_r p if p is a power of r. With Ports::one every message has a step of its own, and the schedule is one-port.
/// With Ports::all every phase is one step, in which a rank sends and receives up to r - 1 messages. Messages of a step
/// share links wherever they travel more than one hop. With r = p this is shifted_exchange(), and with Ports::all
/// linear_exchange().
///
/// Throws std::invalid_argument unless 1 <= rank_count <= 2^31 and 2 <= radix <= max(2, rank_count). Costs O(p * blocks
/// sent). Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, without its two rotations.
CUBEFOLD_API Schedule bruck_exchange(std::size_t rank_count, std::uint32_t radix, Ports ports);

/// Returns part_of(bruck_exchange(rank_count, radix, ports), rank) in O(blocks sent by one rank). Throws what
/// bruck_exchange() throws, and std::invalid_argument for a rank that is not below rank_count.
CUBEFOLD_API Schedule bruck_exchange_part(std::size_t rank_count, std::uint32_t radix, Ports ports,
                                          Rank rank);

/// Returns the cost of bruck_exchange() under a placement. Costs O(messages sent per rank * p axes). Throws what
/// bruck_exchange() throws.
CUBEFOLD_API ExchangeCost bruck_exchange_cost(const Placement& placement, std::uint32_t radix, Ports ports,
                                              Tie tie);

}  // namespace cubefold
