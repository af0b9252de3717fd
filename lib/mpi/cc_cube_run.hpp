#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "comm_context.hpp"
#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "cubefold/mpi/error.hpp"
#include "request_set.hpp"

namespace cubefold::mpi {

/// One packet of an iteration that this process sends, and the packet that it receives in exchange.
struct PacketSwap {
  /// This size announces a failure, and no packet follows it.
  static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

  StagePacket packet;
  int peer;
  std::vector<std::byte>* outgoing_buffer;
  std::vector<std::byte>* incoming_buffer;

  std::uint64_t outgoing_bytes = nothing;
  std::uint64_t incoming_bytes = nothing;
  std::size_t outgoing_step = 0;
  std::size_t incoming_step = std::numeric_limits<std::size_t>::max();

  // The numbers of messages under way: those that this process sends, and those that it awaits.
  int sends = 0;
  int awaited_sizes = 0;
  int awaited_packets = 0;
  bool is_short =
      false;  ///< whether the packet that has arrived is shorter than expected, since its sender has stopped
};

/// A message under way, and the member of its swap that counts it. The swap must not move in memory meanwhile.
struct PacketMessage {
  PacketSwap* swap;
  int PacketSwap::*counter;
};

/// The memory that the runs of one process need besides packets of varying payload. It is allocated once, so that a run
/// cannot fail for lack of it.
struct CcCubeMemory {
  /// Packet buffers have the size of the packets if the payload is fixed, and are empty if it varies.
  CcCubeMemory(std::span<const int> dimensions, std::size_t packet_count, std::vector<int> packet_bytes);

  /// Returns this rank's swaps of an iteration with their buffers, before anything is posted. They stay in place until
  /// the next call for iteration + 2.
  std::span<PacketSwap> swaps_of(std::size_t iteration, const CcCubeAlgorithm& algorithm);

  /// Element s Q + p is the size of packet p of stage s. The list is empty if the payload varies.
  std::vector<int> fixed_bytes;
  /// The buffers for the packets that one iteration sends, followed by those for the packets that two iterations
  /// receive.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<StagePacket> packets;
  std::array<std::vector<PacketSwap>, 2> swaps;
  RequestSet<PacketMessage> messages;
  std::array<std::byte, 4096> waste;  ///< receives packets for which there is no memory
};

/// One run of the algorithm on one process. The run sends and receives all its messages even after a failure of a
/// call-back or of memory, so that no other process waits for it. After a failure of MPI it cannot, and ends.
class CcCubeRun : public Run {
 public:
  /// The packet buffers of `memory` grow where the payload varies. If the run has a failure, MPI may still use them.
  CcCubeRun(const CcCubeAlgorithm& algorithm, const StageCallBacks& call_backs, CcCubeMemory& memory,
            const TagRange& tags);

  /// Returns the first failure on this process: of a call-back, of memory, or of MPI.
  const std::optional<Failure>& own_failure() const { return own_failure_; }

  Awaited awaited() const override;

 private:
  /// What the present iteration does next: wait for the sizes of its packets, produce packets step by step, consume
  /// packets one by one, and wait for its sends.
  enum class Phase : std::uint8_t { sizes, produce, consume, finish };
  using Iteration = std::span<PacketSwap>;

  bool move(unsigned most_polls) override;
  bool poll(unsigned most_polls);
  bool go_on();

  void begin_iteration();
  Iteration expect(std::size_t iteration);
  void announce(PacketSwap& swap);
  void take_announced(PacketSwap& swap);
  void receive_packet(PacketSwap& swap);
  void send(PacketSwap& swap, const void* buffer, std::size_t bytes, int tag);
  void order(PacketSwap& swap);
  std::optional<std::size_t> next_outgoing_step(std::size_t step) const;
  void produce(PacketSwap& swap);
  /// Stops if the sender of the packet has. A packet that arrives before its turn does not stop this process yet, which
  /// may have a failure of its own.
  void land(const PacketSwap& swap) { stopped_ = stopped_ || swap.is_short; }
  void consume(PacketSwap& swap);

  /// Returns whether the condition holds for any swap of the iteration, for which the run then waits.
  template <typename IsAwaited>
  bool waits_for(IsAwaited is_awaited);

  /// Runs work that a process skips if it has stopped.
  template <typename Work>
  void compute(const PacketSwap& swap, Work&& work);
  void note(const StagePacket& packet, const std::optional<Failure>& failure);
  bool is_fixed() const { return static_cast<bool>(algorithm_.options().packet_bytes); }

  const CcCubeAlgorithm& algorithm_;
  const StageCallBacks& call_backs_;
  CcCubeMemory& memory_;
  TagRange tags_;
  std::size_t iteration_count_;
  std::size_t iteration_ = 0;
  Phase phase_ = Phase::sizes;
  Iteration swaps_;  ///< those of the present iteration
  Iteration next_;   ///< those of the next iteration, whose receives are posted
  std::optional<std::size_t> step_;
  std::size_t consumed_ = 0;
  const PacketSwap* at_ = nullptr;  ///< the swap that is worked on or waited for
  std::optional<Failure> own_failure_;
  bool stopped_;
};

}  // namespace cubefold::mpi
