#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "cubefold/mpi/error.hpp"
#include "packet_swap.hpp"

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

/// One run of one process. Whatever fails, it sends and receives all its messages to the end, so that nobody waits
/// for it.
class CcCubeRun {
 public:
  /// Buffers of packets in the memory grow as varying payload needs.
  CcCubeRun(const CcCubeTerms& terms, CcCubeMemory& memory);

  /// The first failure of this process's own, if any. One that a neighbour has told it of is not its own.
  std::optional<Failure> run();

 private:
  using Iteration = std::span<PacketSwap>;

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
