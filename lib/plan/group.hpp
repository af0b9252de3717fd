#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

struct GroupMessage {
  Rank from;
  Rank to;
  Whole amount;  ///< messages times the weight of the phase
};

/// What groups of ranks send each other in a phase: every pair once, in ascending order, none to itself, nothing of amount 0.
struct GroupPhase {
  std::string name;
  std::vector<GroupMessage> messages;
};

/// Group = rank / per_node. The amounts are those of the phases. Throws std::invalid_argument in the caller's name for a
/// rank beyond the grid's groups, and for per_node 0.
std::vector<GroupPhase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                       const Amounts& amounts, std::size_t per_node);

/// The same in doubles and of weight 1, for searches. They are exact below 2^53 units.
std::vector<Phase> as_phases(const std::vector<GroupPhase>& groups);

}  // namespace cubefold
