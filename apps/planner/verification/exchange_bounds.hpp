#pragma once

#include <cstddef>

#include "planner/verification/network.hpp"

namespace cubefold::planner {

/// Block-times that every complete exchange takes, as these reasons prove it:
///
/// - cuts: what the nodes at one end of an axis, or on an arc of a ring, have for the others leaves by the links between.
/// - ports: a node with one port sends a block for each other, and receives one, one after the other; with all ports, by
///   the links that it has.
double proven_block_times(const Network& network, bool is_one_port);

/// Messages one after the other until what one node has can have reached all: one that has it passes it on to one node
/// at a time, or over all its links.
std::size_t proven_startups(const Network& network, bool is_one_port);

}  // namespace cubefold::planner
