#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

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

/// What the runs of one process need besides the packets of varying payload; taken once, so that no run can fail for
/// lack of it.
struct CcCubeMemory {
  /// Buffers of packets are as large as the packets where the payload is fixed, and empty where it varies.
  CcCubeMemory(std::span<const int> dimensions, std::size_t packet_count, std::span<const int> fixed_bytes);
  CcCubeMemory(CcCubeMemory&&) = default;
  CcCubeMemory& operator=(CcCubeMemory&&) = default;

  /// The swaps of an iteration with their buffers: this rank's, nothing posted. They stay where they are until those of
  /// the iteration after the next are asked for.
  std::span<PacketSwap> swaps_of(std::size_t iteration, std::span<const int> dimensions,
                                 std::size_t packet_count, Rank rank);

  std::vector<std::vector<std::byte>>
      rooms;  ///< for each packet that goes in an iteration, and for each that comes in two
  std::vector<StagePacket> packets;
  std::array<std::vector<PacketSwap>, 2> swaps;
  std::array<std::byte, 4096> waste;  ///< where a packet arrives that there is no memory for
};

/// Each posts one message, or waits for what has been posted; a swap must not move while its sizes are on their way.
/// They throw Error.
void receive_size(PacketSwap& swap, MPI_Comm comm);
void send_size(PacketSwap& swap, MPI_Comm comm);
void wait_for_size(PacketSwap& swap);
void receive_packet(PacketSwap& swap, MPI_Comm comm);
/// The same for a packet that there is no memory for: its pieces arrive one over the other.
void waste_packet(PacketSwap& swap, std::span<std::byte> waste, MPI_Comm comm);
void send_packet(PacketSwap& swap, std::span<const std::byte> bytes, MPI_Comm comm);
/// How many bytes have come.
std::uint64_t wait_for_packet(PacketSwap& swap);
void wait_for_sends(PacketSwap& swap);

}  // namespace cubefold::mpi
