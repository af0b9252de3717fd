#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "channel_routes.hpp"
#include "event_queue.hpp"
#include "packets.hpp"

namespace cubefold {

/// Holds the state of the links, routers and ports of a lossless network, in which packets travel. packets.hpp states
/// the rules. Times are whole picoseconds. An *output* is a link, an entry from a port of a node into its router, or an
/// exit; it serves one packet at a time. Links and entries have a *buffer* at their end for each virtual channel, with
/// the number output * channels + channel. Nothing is allocated for an event once the lists have their size.
class PacketRouters {
 public:
  using Time = std::int64_t;

  /// The kinds of events that handle() takes.
  enum Kind : std::uint32_t { packet_arrives, output_is_done, kind_count };
  /// The lanes of the queue that it fills.
  enum Lane : std::size_t { hop_lane, packet_lane, lane_count };

  /// A message that has left its sender, or arrived.
  struct Report {
    std::uint32_t tag;
    bool has_arrived;
  };

  /// Keeps a reference to the queue of events, whose first lanes are those of delays().
  PacketRouters(const Grid& grid, const PacketNetwork& network, EventQueue& events);

  static std::vector<Time> delays(const PacketNetwork& network);

  /// Gives a message to the port of its sender, with all ports that of its first link.
  void send(Time now, std::uint32_t from, std::uint32_t to, std::uint64_t bytes, std::uint32_t tag);

  /// Handles an event, and adds what it completes to reports().
  void handle(const EventQueue::Event& event);

  /// What has left or arrived since the caller cleared the list.
  std::vector<Report>& reports() { return reports_; }

  /// Sets the times of links and nodes.
  void set(PacketTimes& times, const Grid& grid) const;

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  /// A list that is linked by a member of Packet.
  struct PacketList {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  struct Packet {
    std::uint32_t tag;
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t bytes;
    std::uint32_t buffer;  ///< in which it is; none in the memory of its sender
    std::uint32_t output;  ///< for which it waits, to enter this channel of it
    std::uint32_t next_in_buffer;
    std::uint32_t next_waiting;
    std::uint8_t channel;
    bool is_last;      ///< of its message
    Time began;        ///< when it began to wait at its node
    Time asked;        ///< when it began to wait for the output
    Time is_complete;  ///< when its last byte is in the buffer
  };

  struct Output {
    bool is_busy = false;
    bool is_last = false;         ///< whether the packet on it is the last one of its message
    std::uint32_t buffer = none;  ///< from which that packet comes, or the last one came
    std::uint32_t bytes = 0;
    std::uint32_t tag = 0;
    std::uint32_t waiting_count = 0;
    Time blocked_since = 0;  ///< when the output was idle and a packet waited
    Time busy = 0;
    Time waiting = 0;  ///< sum over packets
    Time blocked = 0;
  };

  /// A message with the bytes that have not left.
  struct LeavingMessage {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t tag;
    std::uint64_t bytes;
  };

  /// The messages of a port leave packet by packet in turn.
  struct Port {
    std::vector<LeavingMessage> messages;
    std::size_t turn = 0;
    bool is_busy = false;  ///< a packet waits for the entry or is on it
  };

  /// A packet that may take an output.
  struct Choice {
    std::uint32_t packet = none;
    std::uint32_t before = none;  ///< in its list
    std::uint32_t list = 0;
    std::uint64_t rank = ~std::uint64_t{0};  ///< the lowest one is served
  };

  bool is_link(std::uint32_t output) const { return output < first_entry_; }
  bool is_exit(std::uint32_t output) const { return output >= first_exit_; }
  bool is_fifo(std::uint32_t buffer) const { return buffer < fifo_count_; }

  std::uint32_t new_packet();
  void next_packet(std::uint32_t port);
  void enter_buffer(std::uint32_t packet);
  void ask(std::uint32_t packet);
  void wait(std::uint32_t packet);
  void consider(std::uint32_t list, std::int64_t room, const Output& output, Choice& best) const;
  void serve(std::uint32_t output);
  void transmit(std::uint32_t output, const Choice& choice);
  void finish(std::uint32_t output);

  ChannelRoutes routes_;
  EventQueue& events_;
  Arbitration arbitration_;
  bool has_one_port_;
  std::uint32_t channels_;
  std::uint32_t packet_bytes_;
  Time hop_;
  Time full_packet_;  ///< time of a full packet at the first tau
  Time now_ = 0;

  std::uint32_t first_entry_;
  std::uint32_t first_exit_;
  std::uint32_t fifo_count_;     ///< buffers below are FIFOs
  std::vector<double> tau_;      ///< of each output, in picoseconds per byte
  std::vector<Output> outputs_;  ///< links, then entries, then exits
  std::vector<PacketList>
      waiting_;  ///< for each channel of each output: packets under way, then those of the node
  std::vector<std::int64_t> room_;  ///< bytes for which there is room in each buffer
  std::vector<PacketList> fifos_;
  std::vector<std::uint8_t> is_leaving_;  ///< whether a packet is leaving the FIFO
  std::vector<Port> ports_;
  std::vector<Packet> packets_;
  std::uint32_t free_packets_ = none;
  std::vector<Report> reports_;
};

}  // namespace cubefold
