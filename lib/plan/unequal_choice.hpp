#pragma once

#include <cstddef>
#include <optional>

#include "alltoall_candidate.hpp"
#include "job_facts.hpp"

namespace cubefold {

/// Blocks travel by size between up to so many ranks.
inline constexpr std::size_t most_ranks_by_size = 128;

/// The decision for blocks of one size, on which those for blocks of several sizes depend.
struct EqualBlocks {
  std::optional<Decision> decision;   ///< nothing if calls decide
  bool may_go_between_nodes = false;  ///< where calls decide: whether there are candidates between nodes
};

/// Returns the decision for blocks of unequal sizes, with the candidates for all classes, as AlltoallChooser describes
/// it. Where ranks share nodes, blocks travel between these if blocks of one size may do so.
Decision unequal_decision(const JobFacts& facts, const EqualBlocks& equal);

/// Returns the decision for blocks of several datatypes: those candidates for unequal blocks that need not know the
/// sizes of all processes. Where ranks share nodes, all blocks travel at once in place of those between nodes.
Decision typed_decision(const JobFacts& facts, const EqualBlocks& equal);

/// Returns whether calls of a class may use a candidate for blocks of several sizes.
bool fits(const JobFacts& facts, const AlltoallCandidate& candidate, const CallClass& calls);

}  // namespace cubefold
