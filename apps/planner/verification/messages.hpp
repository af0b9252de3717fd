#pragma once

#include <cstddef>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// What one rank sends another.
struct SentMessages {
  std::size_t from;
  std::size_t to;
  double messages;
};

/// The messages of a phase, and how much it counts.
struct CheckedPhase {
  double weight;
  std::vector<SentMessages> messages;
};

/// All phases of a certificate together have no more.
inline constexpr std::size_t most_messages = std::size_t{1} << 25;

/// Whether a number can be a weight or a number of messages.
bool is_amount(double number);

/// At least as many messages as the phase has, without making them: O(log ranks). Throws what messages_of() does.
std::size_t messages_at_most(const PhaseClaim& phase, std::size_t rank_count);

/// The messages of a phase between so many ranks, from the definition of its pattern, in rows and columns or digit by
/// digit, with nothing of the code that optimises. Those from a rank to itself are left out. Throws
/// std::invalid_argument for a phase that is none. O(messages * log ranks).
std::vector<SentMessages> messages_of(const PhaseClaim& phase, std::size_t rank_count);

}  // namespace cubefold::planner
