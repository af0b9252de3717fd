#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

struct CcCubeMemory;

struct CcCubeOptions {
  /// Q. Above 1 the stages overlap, and the caller declares that they may: that packet p of stage s is computed from
  /// nothing later than packet p of stage s - 1, packet p + 1 of stage s - 2, ..., packet p + s - 1 of stage 0.
  /// Source: [Calmant] section 2.4.
  std::size_t packet_count = 1;

  /// Fixed payload: bytes of a packet, the same at both ends of its dimension, up to 2^31 - 1. Asked for every packet
  /// by the constructor, and never again. Without it the payload varies: see StageCallBacks::bytes.
  std::function<std::size_t(const StagePacket&)> packet_bytes = {};

  /// The step of an iteration in which a rank sends its message in a dimension; without it an iteration has one
  /// step. Asked for this rank and for its neighbours; all processes have to give the same answers. A process leaves
  /// a step when its own messages of that step have gone and those of its neighbours have come: an order, no pacing
  /// between processes that exchange nothing.
  std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> step_of = {};
};

/// What one rank does in a CC-cube algorithm. Iterations follow each other; in each of them every packet is produced
/// before any is consumed, both with stages ascending unless step_of orders the producing. So packet p of stage s is
/// produced when everything of iterations before s + p has been consumed. They may compute, and communicate on the
/// caller's communicators.
struct StageCallBacks {
  /// Fills the packet just before it leaves; all of it is sent. The packet is aligned as operator new aligns and holds
  /// whatever it held before.
  std::function<void(const StagePacket&, std::span<std::byte> room)> produce;

  /// Takes what the neighbour has produced for this packet; it is overwritten afterwards. Empty packets are produced
  /// and consumed as well.
  std::function<void(const StagePacket&, std::span<const std::byte> arrived)> consume;

  /// Varying payload only: bytes of the packet that this rank sends, up to 2^31 - 1. Asked at the beginning of its
  /// iteration, before anything of that iteration is produced. 8 bytes with the size travel ahead of the packet,
  /// which follows if it is not empty.
  std::function<std::size_t(const StagePacket&)> bytes = {};
};

/// A CC-cube algorithm: K stages, in each of which every rank computes and then exchanges with its neighbour in the
/// dimension of the stage. Any number of stages in any order of dimensions. Source: [Calmant] sections 2.2 and 2.4.
///
/// Runs in K + Q - 1 iterations; each exchanges packets of min(Q, K) stages at most, at the same time where they use
/// different dimensions, in the order of stages where they share one. The receives of an iteration are posted before
/// the iteration ahead of it sends (varying payload: those of the sizes; those of the packets when the sizes are
/// there). In flight are at most the packets of two iterations that come and of one that goes; these rooms are kept.
class CUBEFOLD_API CcCubeAlgorithm {
 public:
  /// Collective: duplicates the communicator and compares sizes with the neighbours. dimensions: of the stages in
  /// order; they and the options are those of all processes. Throws on all processes alike, if anything is wrong on
  /// any: std::invalid_argument for a number of processes that is no power of two, a dimension that the cube has not,
  /// a packet_count of 0, dimensions or packet counts that differ, sizes that differ at the two ends or are too
  /// large; Error for MPI and where there is no memory. O(K Q), and O(log p) messages beyond K.
  CcCubeAlgorithm(const VirtualComm& comm, std::vector<int> dimensions, CcCubeOptions options = {});
  CcCubeAlgorithm(CcCubeAlgorithm&&) noexcept;
  CcCubeAlgorithm& operator=(CcCubeAlgorithm&&) noexcept;
  ~CcCubeAlgorithm();

  /// Collective: runs all stages. What a call-back throws, on any process, is thrown by all as agree() has it, with
  /// the stage and packet: that process calls no call-back any more and sends empty messages to the end, and who gets
  /// one does the same. What has been consumed until then stays so. The agreement costs a small MPI_Allreduce after
  /// the last stage. Calls MPI from this thread; no call-back may run the same object, but objects may run at the
  /// same time under MPI_THREAD_MULTIPLE.
  void run(const StageCallBacks& call_backs);

  std::span<const int> dimensions() const { return dimensions_; }
  const CcCubeOptions& options() const { return options_; }

  /// This process's own virtual rank.
  Rank rank() const { return rank_; }

 private:
  OwnedComm comm_;
  Rank rank_;
  std::vector<int> dimensions_;
  CcCubeOptions options_;
  /// Of packet p of stage s at s Q + p; none where the payload varies.
  std::vector<int> bytes_;
  std::unique_ptr<CcCubeMemory> memory_;
};

}  // namespace cubefold::mpi
