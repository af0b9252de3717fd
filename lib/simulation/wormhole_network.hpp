#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "wormhole.hpp"

namespace cubefold {

/// Holds the state of a wormhole network between two cycles. simulation/wormhole.hpp states the rules.
///
/// With one flit per buffer a message never has a gap: all its flits move if its header moves, and all wait if the
/// header waits. The channels of a message are therefore enough to represent it. With the header in the buffer of
/// channel n, flit f is in the buffer of channel n - f, and the channels before that of the last flit are free again.
/// From the cycle in which the header reaches the receiver, nothing can hold the message up. The cycles in which its
/// other channels become free and in which it has arrived are known then.
class WormholeNetwork {
 public:
  /// Throws std::invalid_argument for fewer than one port.
  WormholeNetwork(const Grid& grid, Router router, int port_count);

  /// Queues a message at its sender; it may move from the next cycle on. Numbers must ascend. A message from a node to
  /// itself is not queued. Throws std::invalid_argument for a node that the grid does not have, and for a message
  /// without flits.
  void send(std::size_t number, const WormholeMessage& message);

  /// Runs one cycle and returns the numbers of the messages whose last flit arrived in it. The result is valid until
  /// the next call. Throws std::runtime_error if messages are under way and none can ever move again, and
  /// std::invalid_argument if the router offers no link to a message.
  const std::vector<std::size_t>& run_cycle();

  std::size_t queued_count() const { return queued_count_; }
  bool is_idle() const { return queued_count_ == 0 && under_way_count_ == 0; }

 private:
  /// Numbers the links by link_index(), then the channels into routers, then the channels out of them.
  using Channel = std::size_t;
  using Index = std::size_t;  ///< index into worms_

  struct NextHop {
    Channel channel;
    GridNode end;
  };

  struct Queued {
    std::size_t number;
    WormholeMessage message;
  };

  struct Worm {
    std::size_t number;
    WormholeMessage message;
    GridNode here;                  ///< node of the header
    std::vector<Channel> channels;  ///< channels taken so far, in order
    std::vector<NextHop> choices;   ///< choices for the next channel, the preferred one first
  };

  Channel injection(GridNode node, std::size_t port) const;
  Channel ejection(GridNode node, std::size_t port) const;
  bool take(Channel channel);

  void require_node(GridNode node) const;
  void take_channels();
  bool takes_a_channel(Worm& worm);
  void inject();
  Index new_worm(const Queued& queued, Channel injection);
  void move_headers();
  void leave_channel_behind(const Worm& worm);
  void reach_receiver(const Worm& worm);
  void set_choices(Worm& worm);

  Grid grid_;
  Router router_;
  std::size_t port_count_;
  Channel first_injection_;
  Channel first_ejection_;
  std::uint64_t cycle_ = 0;
  std::vector<std::uint64_t> free_from_;  ///< first cycle in which the channel can be taken

  std::vector<std::deque<Queued>> queues_;  ///< per node
  std::vector<GridNode> senders_;           ///< nodes whose queue is not empty
  std::size_t queued_count_ = 0;
  std::size_t under_way_count_ = 0;

  std::vector<Worm> worms_;
  std::vector<Index> unused_;   ///< indices for the next worms
  std::vector<Index> waiting_;  ///< worms whose header is at a router, in the order of arbitration
  std::vector<Index> moved_;    ///< worms whose header took a channel in this cycle

  using Arrival = std::pair<std::uint64_t, std::size_t>;                         ///< cycle and number
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;  ///< worms at the receiver
  std::vector<std::size_t> arrived_;
};

}  // namespace cubefold
