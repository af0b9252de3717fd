#pragma once

#include <string>
#include <vector>

#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/units.hpp"

namespace cubefold::planner {

/// The messages that one group of ranks sends another group, times the weight of the phase.
struct GroupMessages {
  std::size_t from;
  std::size_t to;
  Whole amount;
};

/// The messages of a phase between groups, with one entry for each pair of sender and receiver.
struct GroupPhase {
  std::string name;
  std::vector<GroupMessages> messages;
};

/// Returns the messages of a phase between the groups of ranks.
GroupPhase between_groups(const std::string& name, const CheckedPhase& phase, const Units& units,
                          const std::vector<std::size_t>& group_of_rank);

/// A lower bound of a value over all placements of groups, with the name of its proof.
struct ProvenBound {
  std::string source;
  Whole value;
};

/// Returns the lower bounds of an objective (busiest-links, together or hop-bytes). Their proofs are:
///
/// - hops: the partners of a node are at least as far as the nearest nodes, and its busiest partner is at best on the
///   nearest node. At best, all hops are spread evenly over all links.
/// - ports: all messages of a node leave or arrive over its links. One of the k busiest nodes has at most as many links
///   as the node with the k-th most links, and it has at least the messages of the k-th busiest node.
/// - largest message: a message does not split, so all that one node sends another crosses the same links. At best
///   these are the fastest.
/// - routes: if every node sends equally many messages to every other node, the loads of all links are the same under
///   every placement. They are counted under balanced ties, which load the busiest link least.
/// - cut: the binary numbers 0 to m - 1 have s ones in total. Among m labels of a cube, at most s pairs are neighbours
///   [Harper 1964]. If the phases use all cube dimensions, this gives a lower bound of the messages that leave m nodes
///   at one end of an axis.
///
/// Links count with their rates. If all rates are 1, the bounds of loads are rounded up, because the load of a link is
/// a multiple of every number that divides all messages.
/// Costs O(messages log messages + nodes axes), and with a route table O(nodes^2 log nodes) more. An all-to-all costs
/// the hops of all routes.
std::vector<ProvenBound> proven_bounds(const Network& network, const std::vector<GroupPhase>& phases,
                                       const std::string& objective);

}  // namespace cubefold::planner
