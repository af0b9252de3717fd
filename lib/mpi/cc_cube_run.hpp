#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// What a run is about, none of it its own.
struct CcCubeTerms {
  MPI_Comm comm;
  Rank rank;
  std::span<const int> dimensions;
  const CcCubeOptions& options;
  /// Of packet p of stage s at s Q + p, where the payload is fixed.
  std::span<const int> fixed_bytes;
  const StageCallBacks& call_backs;
};

/// A buffer for each packet that goes in an iteration, and for each that comes in two; as large as the packets are where the
/// payload is fixed, empty where it varies.
std::vector<std::vector<std::byte>> cc_cube_rooms(std::span<const int> dimensions, std::size_t packet_count,
                                                  std::span<const int> fixed_bytes);

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

/// One run of one process. Whatever fails, it sends and receives all its messages to the end, so that nobody waits for it.
class CcCubeRun {
 public:
  /// rooms: of cc_cube_rooms(); they grow as varying payload needs.
  CcCubeRun(const CcCubeTerms& terms, std::span<std::vector<std::byte>> rooms);

  /// The first failure of this process's own, if any. One that a neighbour has told it of is not its own.
  std::optional<Failure> run();

 private:
  using Iteration = std::vector<PacketSwap>;

  Iteration swaps_of(std::size_t iteration);
  Iteration expect(std::size_t iteration);
  void announce(Iteration& swaps);
  void order(Iteration& swaps, std::size_t iteration);
  void exchange(Iteration& swaps);
  void end_steps_before(std::size_t step, Iteration& swaps);

  bool is_fixed() const { return static_cast<bool>(terms_.options.packet_bytes); }
  std::uint64_t size_of(const StagePacket& packet);
  void receive_size(PacketSwap& swap);
  void receive_packet(PacketSwap& swap);
  void send_size(PacketSwap& swap);
  void send_packet(PacketSwap& swap, std::span<const std::byte> bytes);
  void produce(PacketSwap& swap);
  void land(PacketSwap& swap);
  void consume(PacketSwap& swap);
  void finish(PacketSwap& swap);

  template <typename Work>
  void compute(const StagePacket& packet, Work&& work);
  template <typename Work>
  void communicate(const StagePacket& packet, Work&& work);
  void note(const StagePacket& packet, const std::optional<Failure>& failure);

  const CcCubeTerms terms_;
  const std::span<std::vector<std::byte>> rooms_;
  std::optional<Failure> failure_;
  bool stopped_ = false;
};

}  // namespace cubefold::mpi
