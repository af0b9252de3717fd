#pragma once

#include <string>
#include <vector>

#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/units.hpp"

namespace cubefold::planner {

/// The messages that one group of ranks sends another, times the weight of the phase.
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

/// Returns the messages of a phase between groups. Ranks r with equal r / per_node are a group.
GroupPhase between_groups(const std::string& name, const CheckedPhase& phase, const Units& units,
                          std::size_t per_node);

/// A lower bound of a value over all placements of groups, with its name.
struct ProvenBound {
  std::string source;
  Whole value;
};

/// Returns the lower bounds of an objective (busiest-links, together or hop-bytes) that these reasons prove:
///
/// - hops: the partners of a node are at least as far as the nearest nodes, and its busiest partner is at best on the
///   nearest one. All hops together are at best spread evenly over all links.
/// - ports: all messages of a node leave or arrive by its links. The k busiest nodes have at most as many links as the
///   k nodes with the most links.
/// - cut: m labels of a cube have at most as many pairs of neighbours among them as the binary numbers below m have
///   ones [Harper 1964]. If all dimensions are among the phases, this bounds the messages that leave m nodes at one end
///   of an axis from below.
///
/// The load of a link is a multiple of any number of units that divides all messages.
/// Costs O(messages log messages + nodes axes).
std::vector<ProvenBound> proven_bounds(const Network& network, const std::vector<GroupPhase>& phases,
                                       const std::string& objective);

}  // namespace cubefold::planner
