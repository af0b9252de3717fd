#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds the links of a network with their ends, its routes, and the virtual channel of each link that a packet takes.
/// Buffers that fill in a cycle never deadlock, because the channels that packets take ascend in one order:
///
/// - Where links follow from axes, packets travel in dimension order, and each wrap link is a dateline. A packet that
///   takes the wrap link of an axis starts there in channel 0 and is in channel 1 from that link on. One that does not
///   stays in one channel, half of the destinations in each. Source: Dally and Seitz, "Deadlock-Free Message Routing in
///   Multiprocessor Interconnection Networks", 1987; the halves are ours, since channel 1 would be nearly empty.
/// - With a route table, the links are in an order in which few routes descend. A packet goes to the next channel where
///   its route descends, so the network has one channel more than the largest number of descents of a route.
///
/// The tables take 4 bytes for each pair of a vertex and a node. Construction costs O(vertices * nodes).
class ChannelRoutes {
 public:
  static constexpr std::uint32_t no_link = 0xFFFFFFFFU;

  ChannelRoutes(const Grid& grid, Tie tie);

  std::size_t node_count() const { return node_count_; }
  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t link_count() const {
    return ends_.size();
  }  ///< link_index_count(), links that do not exist included
  std::uint32_t channel_count() const { return channel_count_; }  ///< virtual channels of every link

  std::uint32_t end_of(std::uint32_t link) const { return ends_[link]; }

  /// Returns the link by which a packet to the node leaves the vertex, or no_link at the node.
  std::uint32_t next(std::uint32_t here, std::uint32_t to) const {
    const std::uint32_t entry = next_[here * node_count_ + to];
    return entry == no_link ? no_link : entry & ~starts_in_1;
  }

  /// Returns the channel of the first link of the route from a node.
  std::uint8_t first_channel(std::uint32_t here, std::uint32_t to) const {
    return next_[here * node_count_ + to] >= starts_in_1 ? 1 : 0;
  }

  /// Returns the channel in which a packet to the node takes the link after `link`, which it has taken in this channel.
  std::uint8_t next_channel(std::uint32_t link, std::uint8_t channel, std::uint32_t to) const {
    const std::uint32_t here = ends_[link];
    const std::uint32_t following = next(here, to);
    if (wraps_.empty())
      return static_cast<std::uint8_t>(channel + (order_[following] <= order_[link] ? 1 : 0));
    if (order_[link] != order_[following]) return first_channel(here, to);
    return static_cast<std::uint8_t>(channel | wraps_[following]);
  }

 private:
  static constexpr std::uint32_t starts_in_1 = 0x80000000U;

  void use_axes(const Grid& grid, Tie tie);
  void use_table(const RouteTable& table);
  void order_links(const RouteTable& table);

  std::size_t node_count_;
  std::size_t vertex_count_;
  std::uint32_t channel_count_ = 1;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t>
      next_;  ///< links, with the bit starts_in_1 if the packet enters an axis in channel 1
  std::vector<std::uint32_t> order_;  ///< of each link: its axis, or its place in the order of a route table
  std::vector<std::uint8_t> wraps_;   ///< of each link: 1 for a wrap link; empty with a route table
};

}  // namespace cubefold
