#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold::mpi {

class CommContext;
struct CcCubeMemory;

struct CcCubeOptions {
  /// The number Q of packets per stage. With Q > 1 the stages overlap. The caller then guarantees that packet p of
  /// stage s depends on nothing later than packet p of stage s - 1, packet p + 1 of stage s - 2, ..., packet p + s - 1
  /// of stage 0. Source: [Calmant] section 2.4.
  std::size_t packet_count = 1;

  /// Returns the bytes of a packet, up to 2^31 - 1, for a fixed payload. They must be the same at both ends of the
  /// packet's dimension. The constructor calls it once for every packet. If it is empty, the payload varies: see
  /// StageCallBacks::bytes.
  std::function<std::size_t(const StagePacket&)> packet_bytes = {};

  /// Returns the step of an iteration in which a rank sends its message in a dimension. It is called for this rank and
  /// its neighbours, and must return the same on all processes. If it is empty, an iteration has one step. A process
  /// ends a step when its own messages of that step have been sent and those of its neighbours have arrived. This is an
  /// order of messages; it does not synchronise processes that are not neighbours.
  std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> step_of = {};
};

/// The call-backs of one rank in a CC-cube algorithm. In each iteration all packets are produced before any is
/// consumed, both in ascending order of stages unless step_of gives an order for producing. Packet p of stage s is
/// therefore produced after all packets of the iterations before s + p have been consumed. Call-backs may communicate
/// on the caller's communicators.
struct StageCallBacks {
  /// Fills the packet just before it is sent. The whole packet is sent. It has the alignment of operator new, and its
  /// initial contents are unspecified.
  std::function<void(const StagePacket&, std::span<std::byte> room)> produce;

  /// Takes the packet that the neighbour has produced; its memory is reused afterwards. Empty packets are produced and
  /// consumed as well.
  std::function<void(const StagePacket&, std::span<const std::byte> arrived)> consume;

  /// Returns the bytes of the packet that this rank sends, up to 2^31 - 1; it must be empty for a fixed payload. It is
  /// called at the beginning of the packet's iteration, before any packet of that iteration is produced. A message of 8
  /// bytes with the size is sent ahead of the packet, which follows if it is not empty.
  std::function<std::size_t(const StagePacket&)> bytes = {};
};

/// A CC-cube algorithm: in each of K stages every rank computes and then exchanges with its neighbour in the dimension
/// of the stage. There may be any number of stages in any order of dimensions. Source: [Calmant] sections 2.2 and 2.4.
///
/// A run has K + Q - 1 iterations. Each iteration exchanges the packets of at most min(Q, K) stages. Packets in
/// different dimensions are exchanged at the same time, and packets in the same dimension in the order of their stages.
/// The receives of an iteration are posted before the iteration ahead of it sends. With a varying payload these are the
/// receives of the sizes; those of the packets are posted when the sizes have arrived. The buffers hold the packets
/// that two iterations receive and one iteration sends, and are reused by all runs.
class CUBEFOLD_API CcCubeAlgorithm {
 public:
  /// Collective: duplicates the communicator and compares sizes with the neighbours. Takes the dimensions of the stages
  /// in their order. Dimensions and options must be the same on all processes. If anything is wrong on one process, all
  /// throw: std::invalid_argument for a number of processes that is not a power of two, a dimension that the cube does
  /// not have, a packet_count of 0, dimensions or packet counts that differ, sizes that differ at the two ends or are
  /// too large; Error if MPI fails or there is no memory. Costs O(K Q), and O(log p) messages besides K.
  CcCubeAlgorithm(const VirtualComm& comm, std::vector<int> dimensions, CcCubeOptions options = {});
  CcCubeAlgorithm(CcCubeAlgorithm&&) noexcept;
  CcCubeAlgorithm& operator=(CcCubeAlgorithm&&) noexcept;
  ~CcCubeAlgorithm();

  /// Collective: runs all stages. If a call-back throws on any process, all processes throw its failure, as agree()
  /// does, with the stage and the packet. The process where it happened calls no more call-backs and sends empty
  /// messages until the end, and every process that receives such a message does the same. Packets that were consumed
  /// before stay consumed. If a call of MPI fails on any process, all throw that failure, as do all later runs, and MPI
  /// keeps the memory of the packets. The agreement costs a small MPI_Allreduce after the last stage. A call-back must
  /// not run the same object. Different objects may run in different threads with MPI_THREAD_MULTIPLE.
  void run(const StageCallBacks& call_backs);

  std::span<const int> dimensions() const { return dimensions_; }
  const CcCubeOptions& options() const { return options_; }

  /// Returns the virtual rank of this process.
  Rank rank() const { return rank_; }

 private:
  std::shared_ptr<CommContext> context_;
  Rank rank_;
  std::vector<int> dimensions_;
  CcCubeOptions options_;
  std::unique_ptr<CcCubeMemory> memory_;
};

}  // namespace cubefold::mpi
