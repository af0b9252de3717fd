#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm_context.hpp"
#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "cubefold/mpi/error.hpp"
#include "packet_swap.hpp"

namespace cubefold::mpi {

/// References to the data that a run uses but does not own.
struct CcCubeTerms {
  CommContext& context;
  Rank rank;
  std::span<const int> dimensions;
  const CcCubeOptions& options;
  /// Element s Q + p is the size of packet p of stage s. The list is empty if the payload varies.
  std::span<const int> fixed_bytes;
  const StageCallBacks& call_backs;
};

/// One run of the algorithm on one process. The run sends and receives all its messages even after a failure of a
/// call-back or of memory, so that no other process waits for it. After a failure of MPI it cannot; then it notifies
/// the other processes, whose runs end.
class CcCubeRun {
 public:
  /// The packet buffers of `memory` grow where the payload varies.
  CcCubeRun(const CcCubeTerms& terms, CcCubeMemory& memory);

  /// Runs all iterations, and returns the first failure on this process, if any. A failure that another process has
  /// reported does not count. If the context has failed afterwards, MPI may still use the memory.
  std::optional<Failure> run();

 private:
  using Iteration = std::span<PacketSwap>;

  void run_iterations();
  Iteration expect(std::size_t iteration);
  void announce(Iteration swaps);
  void take(PacketSwap& swap);
  void order(Iteration swaps, std::size_t iteration);
  void exchange(Iteration swaps);
  void end_steps_before(std::size_t step, Iteration swaps);

  bool is_fixed() const { return static_cast<bool>(terms_.options.packet_bytes); }
  std::uint64_t size_of(const StagePacket& packet);
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
  CcCubeMemory& memory_;
  std::optional<Failure> failure_;
  bool stopped_ = false;
};

}  // namespace cubefold::mpi
