#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

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

/// Returns the links of `here` that a message to `to` may take next, the preferred one first. Returns none if and only
/// if here == to. A router must lead every message to its destination.
using Router = std::function<std::vector<Link>(GridNode here, GridNode to)>;

/// Returns the router of dimension order, axis 0 first; on a hypercube this is e-cube. It offers one link each time, on
/// a shortest route. Throws std::invalid_argument for a grid with a wrap link, since a ring deadlocks without virtual
/// channels.
CUBEFOLD_API Router dimension_order(const Grid& grid);

/// Returns the negative-first router. While a coordinate has to fall, it offers every link that lowers a coordinate
/// which has to fall, the lowest axis first. After that it offers every link that raises one. It allows every shortest
/// route in either phase, and no other route. On a hypercube this is P-cube. Throws what dimension_order() throws.
/// Source: Glass and Ni, "The Turn Model for Adaptive Routing", 1992.
CUBEFOLD_API Router negative_first(const Grid& grid);

/// Returns whether the dependences between links have no cycle. Link a depends on link b if some message that came over
/// a may request b. Without a cycle no traffic can deadlock under wormhole routing. A router with one choice can
/// deadlock if there is a cycle; for a router with several choices, a cycle leaves the question open. Costs O(nodes^2 *
/// choices^2). Source: Dally and Seitz, "Deadlock-Free Message Routing", 1987.
CUBEFOLD_API bool is_free_of_cyclic_waits(const Grid& grid, const Router& router);

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
