#pragma once

#include <cstddef>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// The number of messages that one rank sends another rank.
struct SentMessages {
  std::size_t from;
  std::size_t to;
  double messages;
};

/// The weight and the messages of a phase.
struct CheckedPhase {
  double weight;
  std::vector<SentMessages> messages;
};

/// The largest number of entries of messages_of() for all phases of a certificate together.
inline constexpr std::size_t most_messages = std::size_t{1} << 25;

/// Returns whether a number can be a weight or a number of messages: 0, or 1e-30 to 1e30.
bool is_amount(double number);

/// Returns an upper bound of the number of entries of messages_of(), without making them. Costs O(log ranks + length of
/// the name). Throws std::invalid_argument for a redistribution, a halo exchange or an all-to-all with an invalid
/// argument.
std::size_t messages_at_most(const PhaseClaim& phase, std::size_t rank_count);

/// Returns the messages of a phase between `rank_count` ranks. They are computed from the definition of the pattern, by
/// rows and columns, coordinates or digits, without code of the optimisers. Messages from a rank to itself are left
/// out. Throws std::invalid_argument for an unknown or invalid phase. Costs O(messages * log ranks).
std::vector<SentMessages> messages_of(const PhaseClaim& phase, std::size_t rank_count);

}  // namespace cubefold::planner
