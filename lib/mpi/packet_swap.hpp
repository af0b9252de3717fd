#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "comm_context.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

std::size_t bytes_of(const StagePacket& packet, std::span<const int> fixed_bytes);

/// Enlarges the buffer to at least `bytes`. Its contents are lost.
void enlarge(std::vector<std::byte>& buffer, std::size_t bytes);

/// One packet of an iteration that this process sends, and the packet that it receives in exchange.
struct PacketSwap {
  /// This size announces a failure, and no packet follows it.
  static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

  StagePacket packet;
  Rank neighbour;
  std::vector<std::byte>* outgoing_buffer;
  std::vector<std::byte>* incoming_buffer;

  std::uint64_t outgoing_bytes = nothing;
  std::uint64_t incoming_bytes = nothing;
  std::size_t outgoing_step = 0;
  std::size_t incoming_step = std::numeric_limits<std::size_t>::max();
  MPI_Request outgoing = MPI_REQUEST_NULL;
  MPI_Request incoming = MPI_REQUEST_NULL;
  MPI_Request outgoing_size = MPI_REQUEST_NULL;
  MPI_Request incoming_size = MPI_REQUEST_NULL;
};

/// The memory that the runs of one process need besides packets of varying payload. It is allocated once, so that a run
/// cannot fail for lack of it.
struct CcCubeMemory {
  /// Packet buffers have the size of the packets if the payload is fixed, and are empty if it varies.
  CcCubeMemory(std::span<const int> dimensions, std::size_t packet_count, std::span<const int> fixed_bytes);
  CcCubeMemory(CcCubeMemory&&) = default;
  CcCubeMemory& operator=(CcCubeMemory&&) = default;

  /// Returns this rank's swaps of an iteration with their buffers, before anything is posted. They stay in place until
  /// the next call for iteration + 2.
  std::span<PacketSwap> swaps_of(std::size_t iteration, std::span<const int> dimensions,
                                 std::size_t packet_count, Rank rank);

  /// The buffers for the packets that one iteration sends, followed by those for the packets that two iterations
  /// receive.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<StagePacket> packets;
  std::array<std::vector<PacketSwap>, 2> swaps;
  std::array<std::byte, 4096> waste;  ///< receives packets for which there is no memory
};

/// Each of the following functions posts one message or waits for posted messages, and throws Error if MPI fails. Those
/// that wait throw as CommContext::throw_if_failed() if another process fails meanwhile. A swap must not move in memory
/// while its sizes are under way.
void receive_size(PacketSwap& swap, MPI_Comm comm);
void send_size(PacketSwap& swap, MPI_Comm comm);
void wait_for_size(PacketSwap& swap, CommContext& context);
void receive_packet(PacketSwap& swap, MPI_Comm comm);
/// Posts a receive for a packet for which there is no memory. All its pieces are received into the same memory.
void waste_packet(PacketSwap& swap, std::span<std::byte> waste, MPI_Comm comm);
void send_packet(PacketSwap& swap, std::span<const std::byte> bytes, MPI_Comm comm);
/// Returns the number of bytes that have arrived.
std::uint64_t wait_for_packet(PacketSwap& swap, CommContext& context);
void wait_for_sends(PacketSwap& swap, CommContext& context);

}  // namespace cubefold::mpi
