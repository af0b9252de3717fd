#pragma once

#include <cstddef>

#include "planner/verification/network.hpp"

namespace cubefold::planner {

/// Returns the block-times that every complete exchange takes for these reasons:
///
/// - cuts: all blocks from the nodes at one end of an axis, or on an arc of a ring, to the other nodes use the links
///   between them.
/// - ports: a node with one port sends one block to each other node and receives one from each, one after the other.
///   With all ports it uses all its links.
double proven_block_times(const Network& network, bool is_one_port);

/// Returns the consecutive messages that data of one node need at least to reach all nodes. A node that has the data
/// passes them to one other node at a time with one port, and over all its links otherwise.
std::size_t proven_startups(const Network& network, bool is_one_port);

}  // namespace cubefold::planner
