#pragma once

#include <cstddef>
#include <cstdint>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"
#include "schedule/step_source.hpp"

namespace cubefold {

/// Bruck's complete exchange of any number p of ranks, by the digits in base r of a block's offset, (destination -
/// source) mod p. Phase k = 0, 1, ... < log_r p treats digit k: for each value v = 1 .. r - 1 of it every rank sends
/// rank + v r^k mod p all blocks that it holds with that digit, in ascending order of offset. In the last phase values
/// with v r^k >= p are left out, so no message is empty, and a block travels as often as its offset has digits other
/// than 0.
///
/// Messages sent per rank: sum over phases k of min(r - 1, floor((p - 1) / r^k)), which is (r - 1) log_r p where p is a
/// power of r; blocks sent per rank: the digits other than 0 of all numbers below p, (r - 1) / r p log_r p there.
/// Ports::one: a step for each message, one-port. Ports::all: a step for each phase, up to r - 1 messages sent and
/// received at a time. Messages of a step share links wherever they travel more than one hop. r = p is
/// shifted_exchange(), and with Ports::all linear_exchange().
///
/// Throws std::invalid_argument unless 1 <= rank_count <= 2^31 and 2 <= radix <= max(2, rank_count). O(p * blocks
/// sent). Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, without its two rotations.
CUBEFOLD_API Schedule bruck_exchange(std::size_t rank_count, std::uint32_t radix, Ports ports);

/// The same, each step made when it is asked for.
CUBEFOLD_API StepSource bruck_exchange_steps(std::size_t rank_count, std::uint32_t radix, Ports ports);

/// part_of(bruck_exchange(rank_count, radix, ports), rank) in O(blocks sent by one rank). Throws std::invalid_argument
/// for a rank that is not below rank_count, and as above.
CUBEFOLD_API Schedule bruck_exchange_part(std::size_t rank_count, std::uint32_t radix, Ports ports,
                                          Rank rank);

/// What bruck_exchange() costs under a placement. O(messages sent per rank * p axes). Throws as bruck_exchange() does.
CUBEFOLD_API ExchangeCost bruck_exchange_cost(const Placement& placement, std::uint32_t radix, Ports ports,
                                              Tie tie);

}  // namespace cubefold
