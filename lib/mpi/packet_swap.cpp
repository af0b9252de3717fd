#include "packet_swap.hpp"

#include <algorithm>

#include "blocks.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// The tags of messages on the algorithm's own communicator. The packets of two processes in a dimension are sent and
/// received in the order of iterations and stages, and so are their sizes. One tag for each is therefore sufficient.
enum Tag : int { packet_tag, size_tag };

int peer(const PacketSwap& swap) {
  return static_cast<int>(label(swap.neighbour));
}

std::size_t swaps_at_once(std::size_t stage_count, std::size_t packet_count) {
  return std::min(stage_count, packet_count);
}

/// Returns the index of the first buffer for the packets that an iteration receives. The first `width` buffers are for
/// sending.
std::size_t first_incoming_buffer(std::size_t iteration, std::size_t width) {
  return (1 + iteration % 2) * width;
}

}  // namespace

std::size_t bytes_of(const StagePacket& packet, std::span<const int> fixed_bytes) {
  return static_cast<std::size_t>(fixed_bytes[packet.stage * packet.count + packet.index]);
}

void enlarge(std::vector<std::byte>& buffer, std::size_t bytes) {
  if (buffer.size() >= bytes) return;
  buffer = {};  // the old contents need not be copied
  buffer.resize(bytes);
}

CcCubeMemory::CcCubeMemory(std::span<const int> dimensions, std::size_t packet_count,
                           std::span<const int> fixed_bytes) {
  const std::size_t width = swaps_at_once(dimensions.size(), packet_count);
  buffers.resize(3 * width);
  packets.reserve(width);
  for (auto& each : swaps) each.reserve(width);
  if (fixed_bytes.empty()) return;
  for (std::size_t k = 0; k < iteration_count(dimensions.size(), packet_count); ++k) {
    set_packets_of_iteration(packets, dimensions, packet_count, k);
    for (std::size_t place = 0; place < packets.size(); ++place) {
      const std::size_t bytes = bytes_of(packets[place], fixed_bytes);
      enlarge(buffers[place], bytes);
      enlarge(buffers[first_incoming_buffer(k, width) + place], bytes);
    }
  }
}

std::span<PacketSwap> CcCubeMemory::swaps_of(std::size_t iteration, std::span<const int> dimensions,
                                             std::size_t packet_count, Rank rank) {
  set_packets_of_iteration(packets, dimensions, packet_count, iteration);
  const std::size_t incoming = first_incoming_buffer(iteration, buffers.size() / 3);
  auto& ours = swaps[iteration % 2];
  ours.clear();
  for (std::size_t place = 0; place < packets.size(); ++place) {
    const StagePacket& packet = packets[place];
    ours.push_back({packet, neighbour(rank, packet.dimension), &buffers[place], &buffers[incoming + place]});
  }
  return ours;
}

// The static analyser expects the wait in the function that posts the message.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
void receive_size(PacketSwap& swap, MPI_Comm comm) {
  check(MPI_Irecv(&swap.incoming_bytes, 1, MPI_UINT64_T, peer(swap), size_tag, comm, &swap.incoming_size),
        "MPI_Irecv");
}

void send_size(PacketSwap& swap, MPI_Comm comm) {
  check(MPI_Isend(&swap.outgoing_bytes, 1, MPI_UINT64_T, peer(swap), size_tag, comm, &swap.outgoing_size),
        "MPI_Isend");
}

void wait_for_size(PacketSwap& swap, CommContext& context) {
  context.wait_for(swap.incoming_size, peer(swap));
}

void receive_packet(PacketSwap& swap, MPI_Comm comm) {
  check(MPI_Irecv(swap.incoming_buffer->data(), static_cast<int>(swap.incoming_bytes), MPI_BYTE, peer(swap),
                  packet_tag, comm, &swap.incoming),
        "MPI_Irecv");
}

// The MPI standard does not allow a receive with overlapping parts, but Open MPI and MPICH write them one after the
// other.
void waste_packet(PacketSwap& swap, std::span<std::byte> waste, MPI_Comm comm) {
  const auto piece = static_cast<int>(waste.size());
  const auto pieces = static_cast<int>((swap.incoming_bytes + waste.size() - 1) / waste.size());
  MPI_Datatype over_and_over = MPI_DATATYPE_NULL;
  check(MPI_Type_create_hvector(pieces, piece, 0, MPI_BYTE, &over_and_over), "MPI_Type_create_hvector");
  const OwnedType owned(over_and_over);
  check(MPI_Type_commit(&over_and_over), "MPI_Type_commit");
  check(MPI_Irecv(waste.data(), 1, over_and_over, peer(swap), packet_tag, comm, &swap.incoming), "MPI_Irecv");
}

void send_packet(PacketSwap& swap, std::span<const std::byte> bytes, MPI_Comm comm) {
  check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer(swap), packet_tag, comm,
                  &swap.outgoing),
        "MPI_Isend");
}

std::uint64_t wait_for_packet(PacketSwap& swap, CommContext& context) {
  MPI_Status status;
  context.wait_for(swap.incoming, peer(swap), &status);
  int arrived = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
  return static_cast<std::uint64_t>(arrived);
}

void wait_for_sends(PacketSwap& swap, CommContext& context) {
  context.wait_for(swap.outgoing, peer(swap));
  context.wait_for(swap.outgoing_size, peer(swap));
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace cubefold::mpi
