#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "wormhole_router.hpp"

/// Wormhole switching, flit by flit. One channel per link, one from each port of a processor into its router
/// and one back, each with a buffer of one flit. A flit takes a cycle per channel; it may enter a buffer in the
/// cycle in which the flit ahead of it in the same message leaves. A header takes a channel that was free when
/// the cycle began, and the message holds it until its last flit has left the buffer at its end; processors
/// take a flit per port and cycle. Of headers that want the same channel the one that came to the router first
/// gets it, of those that came together the message that was sent first.
///
/// A message alone in the network takes hops + flits + 1 cycles, and on one link messages follow each other
/// every flits + 1 cycles: the buffer is empty for one. Source: [Lcc] section 6.
namespace cubefold {

struct WormholeMessage {
  GridNode from;
  GridNode to;
  std::uint32_t flit_count;  ///< header included, at least 1
};

/// The cycle in which each message has arrived whole, in the order given, when all are there to be sent at
/// cycle 0. A node with more messages than ports sends them in the order given. A message from a node to
/// itself uses no channel and arrives in cycle 0. O(hops and cycles of all messages).
/// Throws std::invalid_argument for a node that the grid does not have, a message without flits, less than one
/// port, or a router that gives no way; std::runtime_error if no message can ever move again.
CUBEFOLD_API std::vector<std::uint64_t> arrival_cycles(const Grid& grid, const Router& router,
                                                       std::span<const WormholeMessage> messages,
                                                       int port_count = 1);

}  // namespace cubefold
