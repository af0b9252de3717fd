#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

/// A room for each packet that goes in an iteration, and for each that comes in two; as large as the packets are
/// where the payload is fixed, empty where it varies.
std::vector<std::vector<std::byte>> cc_cube_rooms(std::span<const int> dimensions, std::size_t packet_count,
                                                  std::span<const int> fixed_bytes);

std::size_t bytes_of(const StagePacket& packet, std::span<const int> fixed_bytes);

/// At least so many bytes; what was in the room is lost.
void enlarge(std::vector<std::byte>& room, std::size_t bytes);

/// One packet of an iteration, as it goes and as it comes.
struct PacketSwap {
  /// A size that announces a failure; no packet follows it.
  static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

  StagePacket packet;
  Rank neighbour;
  std::vector<std::byte>* outgoing_room;
  std::vector<std::byte>* incoming_room;

  std::uint64_t outgoing_bytes = nothing;
  std::uint64_t incoming_bytes = nothing;
  std::size_t outgoing_step = 0;
  std::size_t incoming_step = std::numeric_limits<std::size_t>::max();
  MPI_Request outgoing = MPI_REQUEST_NULL;
  MPI_Request incoming = MPI_REQUEST_NULL;
  MPI_Request outgoing_size = MPI_REQUEST_NULL;
  MPI_Request incoming_size = MPI_REQUEST_NULL;
};

/// The swaps of an iteration with their rooms: this rank's, nothing posted.
std::vector<PacketSwap> swaps_of(std::span<const StagePacket> packets, std::size_t iteration, Rank rank,
                                 std::span<std::vector<std::byte>> rooms);

/// Each posts one message, or waits for what has been posted; a swap must not move while its sizes are on their way.
/// They throw Error.
void receive_size(PacketSwap& swap, MPI_Comm comm);
void send_size(PacketSwap& swap, MPI_Comm comm);
void wait_for_size(PacketSwap& swap);
void receive_packet(PacketSwap& swap, MPI_Comm comm);
void send_packet(PacketSwap& swap, std::span<const std::byte> bytes, MPI_Comm comm);
/// How many bytes have come.
std::uint64_t wait_for_packet(PacketSwap& swap);
void wait_for_sends(PacketSwap& swap);

}  // namespace cubefold::mpi
