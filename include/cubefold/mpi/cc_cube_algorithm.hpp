#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

/// Who knows how large a packet is.
enum class Payload : std::uint8_t {
  /// Both ends: a packet has one size, whichever of the two ranks sends it. One message a packet.
  fixed,
  /// Its sender, once it has computed so far. 8 bytes with the size travel ahead of the packet, which follows if it is not empty.
  varying
};

struct CcCubeOptions {
  /// Q. Above 1 the stages overlap, and the caller declares that they may: that packet p of stage s is computed from nothing later
  /// than packet p of stage s - 1, packet p + 1 of stage s - 2, ..., packet p + s - 1 of stage 0. Source: [Calmant] section 2.4.
  std::size_t packet_count = 1;

  Payload payload = Payload::fixed;

  /// The step of an iteration in which a rank sends its message in a dimension; without it an iteration has one step.
  /// Asked for this rank and for its neighbours; all processes have to give the same answers, which are small numbers. A process
  /// leaves a step when its own messages of that step have gone and those of its neighbours have come: an order, no
  /// pacing between processes that exchange nothing.
  std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> step_of = {};
};

/// What one rank does in a CC-cube algorithm. Iterations follow each other; in each of them every packet is produced before any is
/// consumed, both with stages ascending unless step_of orders the producing. So packet p of stage s is produced when everything of
/// iterations before s + p has been consumed. They may compute, and communicate on the caller's communicators.
struct StageCallBacks {
  /// Size of a packet, 2^31 - 1 at most. Payload::fixed: of the packet that goes as of the one that comes, asked one iteration
  /// before. Payload::varying: of the packet that this rank sends, asked as its iteration begins.
  std::function<std::size_t(const StagePacket&)> bytes;

  /// Fills the packet just before it leaves; all of it is sent. The room is aligned as operator new aligns, holds whatever it
  /// held before, and is gone afterwards.
  std::function<void(const StagePacket&, std::span<std::byte> room)> produce;

  /// Takes what the neighbour has produced for this packet, before it is overwritten. Called for empty packets as well.
  std::function<void(const StagePacket&, std::span<const std::byte> arrived)> consume;
};

/// A CC-cube algorithm: K stages, in each of which every rank computes and then exchanges with its neighbour in the
/// dimension of the stage. Any number of stages in any order of dimensions. Source: [Calmant] sections 2.2 and 2.4.
///
/// Runs in K + Q - 1 iterations; each exchanges packets of min(Q, K) stages at most, at the same time where they use
/// different dimensions, in the order of stages where they share one. The receives of an iteration are posted before the iteration
/// ahead of it sends (with Payload::varying: those of the sizes; those of the packets as soon as the sizes are there). In flight are
/// at most the packets of two iterations that come and of one that goes; they are kept as buffers for the next run.
class CUBEFOLD_API CcCubeAlgorithm {
 public:
  /// Collective: duplicates the communicator. dimensions: of the stages in order, alike on all processes; compared where
  /// CUBEFOLD_CHECK=1, with all options but step_of. Throws on all processes alike, if anything is wrong on any:
  /// std::invalid_argument for a number of processes that is no power of two, a dimension that the cube has not,
  /// a packet_count of 0; Error for MPI.
  CcCubeAlgorithm(const VirtualComm& comm, std::vector<int> dimensions, CcCubeOptions options = {});

  /// Collective: runs all stages. No call-back may call it on the same object. What a call-back throws, or a message that fails, is thrown
  /// by all processes as agree() has it, with stage and packet: the process on which it happens calls no call-back any more and
  /// sends empty messages to the end; who gets one does the same. What has been consumed until then stays so.
  /// The agreement costs a small MPI_Allreduce at the end of each run. Calls MPI from this thread alone; several objects may
  /// run at the same time under MPI_THREAD_MULTIPLE.
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
  std::vector<std::vector<std::byte>> rooms_;
};

}  // namespace cubefold::mpi
