#pragma once

#include <cstddef>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// The messages that one rank sends another.
struct SentMessages {
  std::size_t from;
  std::size_t to;
  double messages;
};

/// The messages and the weight of a phase.
struct CheckedPhase {
  double weight;
  std::vector<SentMessages> messages;
};

/// The most messages of all phases of a certificate together.
inline constexpr std::size_t most_messages = std::size_t{1} << 25;

/// Returns whether a number can be a weight or a number of messages.
bool is_amount(double number);

/// Returns at least the number of messages of the phase, without making them. Costs O(log ranks). Throws as
/// messages_of() does.
std::size_t messages_at_most(const PhaseClaim& phase, std::size_t rank_count);

/// Returns the messages of a phase between `rank_count` ranks. They come from the definition of the pattern, by rows
/// and columns or digit by digit, and use no code of the optimisers. Messages from a rank to itself are left out.
/// Throws std::invalid_argument for an unknown phase. Costs O(messages * log ranks).
std::vector<SentMessages> messages_of(const PhaseClaim& phase, std::size_t rank_count);

}  // namespace cubefold::planner
