#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "packet_program.hpp"

/// Simulates networks that lose nothing, packet by packet: virtual cut-through with credits. A packet takes a link when
/// the link is free and the buffer at its end has room for all of it. It may leave that buffer when its first byte has
/// arrived, and its room is free again when its last byte has left. Each virtual channel of a link has a buffer. A node
/// sends its messages packet by packet in turn, through buffers like those of links into its router, which let packets
/// to different links pass each other. docs/simulation.md has the assumptions and what they were compared with.
namespace cubefold {

/// Says which of several packets takes a link or leaves the network at a node.
enum class Arbitration : std::uint8_t {
  /// Any packet of a buffer may leave it, so that none waits for one that goes elsewhere: the ideal of virtual output
  /// queues. The packet that left its node first comes first.
  voq,
  /// Only the first packet of a buffer may leave it. Packets under way come before those of the node, and buffers take
  /// turns. Source: the routers of BG/L.
  transit,
  /// Only the first packet of a buffer may leave it. The buffers of links and of the node take turns.
  rr,
};

inline constexpr std::uint32_t unlimited_buffer = std::numeric_limits<std::uint32_t>::max();

/// Describes the links and routers of a lossless network.
struct PacketNetwork {
  std::vector<double> tau_seconds_per_byte{
      8 / 100e9};                     ///< one for all axes, or one for each; over the link's rate
  std::uint32_t packet_bytes = 2048;  ///< the most bytes of a message that travel in one packet
  /// Packets that fit into the buffer of a virtual channel, or unlimited_buffer.
  std::uint32_t buffer_packets = 8;
  double hop_seconds = 100e-9;  ///< from when a packet begins to leave until it may leave the next router
  Arbitration arbitration = Arbitration::transit;
  /// With one port a node sends and receives a byte every tau. With all ports it does so on each of its links.
  Ports ports = Ports::one;
  Tie tie = Tie::balanced;
  double injection_rate = 1;  ///< share of a link's rate at which a port sends, in (0, 1]
};

/// Describes the nodes: one CPU that posts and completes messages one after the other, and an adapter.
struct PacketNodes {
  double post_seconds = 0.3e-6;
  double complete_seconds = 0.3e-6;
  double adapter_seconds = 0.4e-6;  ///< from the end of posting until the first packet may leave
  /// Longer messages are announced by a packet of 64 bytes and leave when the answer of the receiver has come. A CPU
  /// takes complete_seconds to answer, and post_seconds to send what was announced.
  std::uint64_t eager_bytes = std::numeric_limits<std::uint64_t>::max();
  std::vector<double> offset_seconds{};  ///< of each node: when it starts, and by how much its clock is late
  double noise_seconds = 0;              ///< length of interruptions of a CPU
  double noise_interval_seconds = 0;     ///< mean time between interruptions, which come at random; 0 is none
  std::uint64_t seed = 1;                ///< of the interruptions
};

/// Holds the times of a simulation, in seconds. Links are numbered by link_index().
struct PacketTimes {
  double total_seconds = 0;
  std::vector<double> node_seconds;     ///< when the node has sent and completed all its messages
  std::vector<double> message_seconds;  ///< when the receiver has completed the message
  std::vector<double> link_busy;
  std::vector<double> link_waiting;   ///< sum over all packets of the time that each waited for the link
  std::vector<double> link_blocked;   ///< time that the link was idle while packets waited: no room behind it
  std::vector<double> entry_blocked;  ///< the same for the ports by which the node sends, summed over them
  std::vector<double>
      exit_waiting;  ///< sum over all packets of the time that each waited to leave the network
};

/// Simulates a program. The same arguments give the same result. Costs O(hops of all packets): 512 nodes that send
/// blocks of 16 KiB to each other take a few seconds. Throws std::invalid_argument for a time that is negative or not
/// finite, taus that are neither one nor one per axis, packets without bytes, buffers without packets, an injection
/// rate outside (0, 1], a number of offsets that is not that of nodes, a message without bytes, to its sender or
/// between nodes that the grid does not have, and a wait for a message that the sender neither sends nor receives.
/// Throws std::runtime_error if messages wait for each other.
CUBEFOLD_API PacketTimes simulate_packets(const Grid& grid, const PacketNetwork& network,
                                          const PacketNodes& nodes, const PacketProgram& program);

}  // namespace cubefold
