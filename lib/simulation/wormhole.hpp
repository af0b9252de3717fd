#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "wormhole_router.hpp"

/// Simulates wormhole switching, flit by flit. There is one channel for each link, one from each port of a processor
/// into its router, and one back. Each channel has a buffer of one flit, and a flit takes one cycle per channel. A flit
/// may enter a buffer in the cycle in which the flit ahead of it in the same message leaves. A header takes a channel
/// that was free when the cycle began. Its message holds the channel until its last flit has left the channel's buffer.
/// Processors take one flit per port and cycle. If several headers request the same channel, the one that reached the
/// router first gets it. If they reached it together, the message that was sent first gets it.
///
/// A message alone in the network takes hops + flits + 1 cycles. On one link, messages follow each other every flits +
/// 1 cycles, since the buffer is empty for one cycle. Source: [Lcc] section 6.
namespace cubefold {

struct WormholeMessage {
  GridNode from;
  GridNode to;
  std::uint32_t flit_count;  ///< with the header; at least 1
};

/// Returns the cycle in which the last flit of each message has arrived, in the order given. All messages are ready to
/// be sent at cycle 0. A node with more messages than ports sends them in the order given. A message from a node to
/// itself uses no channel and arrives in cycle 0. Costs O(hops and cycles of all messages). Throws
/// std::invalid_argument for a node that the grid does not have, a message without flits, fewer than one port, or a
/// router that offers no link to a message. Throws std::runtime_error if no message can ever move again.
CUBEFOLD_API std::vector<std::uint64_t> arrival_cycles(const Grid& grid, const Router& router,
                                                       std::span<const WormholeMessage> messages,
                                                       int port_count = 1);

}  // namespace cubefold
