#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planner/verification/messages.hpp"

namespace cubefold::planner {

/// Returns an upper bound of the number of messages of halo, alltoall, ring, allreduce, reduce-scatter and allgather
/// phases, or nothing for other names. Bounds above most_messages are returned as most_messages + 1. Throws
/// std::invalid_argument for an invalid argument of halo and alltoall. Costs O(length of the name).
std::optional<std::size_t> program_messages_at_most(const std::string& name, std::size_t rank_count);

/// Returns the messages of a phase of these names between `rank_count` ranks, or nothing for other names. They follow
/// from coordinates, rows, columns and numbers of ranks, without code of the optimisers. Throws std::invalid_argument
/// for an invalid phase. Costs O(messages).
std::optional<std::vector<SentMessages>> program_messages_of(const std::string& name, std::size_t rank_count);

}  // namespace cubefold::planner
