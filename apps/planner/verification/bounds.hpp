#pragma once

#include <string>
#include <vector>

#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/units.hpp"

namespace cubefold::planner {

/// What a group of ranks sends another, times the weight of the phase.
struct GroupMessages {
  std::size_t from;
  std::size_t to;
  Whole amount;
};

/// The messages between groups of a phase, one entry for each pair.
struct GroupPhase {
  std::string name;
  std::vector<GroupMessages> messages;
};

/// Ranks r with equal r / per_node make a group.
GroupPhase between_groups(const std::string& name, const CheckedPhase& phase, const Units& units,
                          std::size_t per_node);

/// A value that no placement of groups goes below, and what it is called.
struct ProvenBound {
  std::string source;
  Whole value;
};

/// All that the following reasons prove of an objective: busiest-links, together or hop-bytes.
///
/// - hops: the partners of a node are no nearer than the nearest places there are, its busiest partner on the nearest.
///   All hops together are spread over all links at best.
/// - ports: what a node sends, or receives, leaves or comes by its links. The k busiest nodes have no more links than the
///   k nodes with the most.
/// - cut: among m labels of a cube there are no more pairs of neighbours than the binary numbers below m have ones
///   [Harper 1964], so if all dimensions are among the phases, what leaves so many nodes at one end of an axis is known.
///
/// What a link carries is a multiple of any number of units of which all messages are multiples.
/// O(messages log messages + nodes axes).
std::vector<ProvenBound> proven_bounds(const Network& network, const std::vector<GroupPhase>& phases,
                                       const std::string& objective);

}  // namespace cubefold::planner
