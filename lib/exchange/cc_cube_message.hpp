#pragma once

#include <cstdint>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Blocks `first` to `last` - 1 of the 2^(d-1) that a rank sends in a stage of the CC-cube exchange, by descending
/// position: source xor destination, the dimensions that the block has to cross. Before stage i it has crossed
/// those below i.
Message stage_message(int dimension_count, int stage, Rank from, std::uint32_t first, std::uint32_t last);

/// The blocks of a stage. Throws std::invalid_argument unless they make so many packets.
std::uint64_t require_packets_of_stage(int dimension_count, std::uint64_t packet_count);

}  // namespace cubefold
