#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm_context.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "shared_memory.hpp"

namespace cubefold::mpi {

class AlltoallPlan;
class AlltoallRequest;
struct AlltoallSetup;

/// The processes of a job as groups that share nodes: the communicator of the group of this process, the memory that
/// the group shares, and the communicator of the leaders, which have slot 0 of their nodes and send for their groups.
class CUBEFOLD_API NodeGroups {
 public:
  /// The bytes of the memory that a group shares for blocks that leave, and again for blocks that arrive.
  static constexpr std::size_t most_bytes = std::size_t{8} << 20;

  /// Returns the largest pieces of blocks that groups can exchange at a time, or 0 if there are too many ranks.
  static std::size_t most_piece_bytes(const NodeSharing& sharing) {
    return most_bytes / (sharing.largest_group() * sharing.rank_count());
  }

  /// Collective: returns on all processes whether the processes of every group are on one host.
  static bool are_on_hosts(MPI_Comm comm, int own_group);

  /// Collective on the context: makes the communicators and takes the memory. Requires comm.sharing(), and
  /// most_piece_bytes() above 0. Throws Error with Status::memory on all processes if the ranks of a node cannot share
  /// memory.
  static std::shared_ptr<NodeGroups> make(const VirtualComm& comm, std::shared_ptr<CommContext> context);

  NodeGroups(const NodeGroups&) = delete;
  NodeGroups& operator=(const NodeGroups&) = delete;
  ~NodeGroups();

  const NodeSharing& sharing() const { return *sharing_; }
  CommContext& context() const { return *context_; }

  /// Returns the group of this process, and its slot there.
  std::size_t group() const { return group_; }
  std::size_t slot() const { return slot_; }

  /// Returns the leaders, whose ranks are the groups, or nullptr if this process is not a leader.
  const VirtualComm* leaders() const { return leaders_ ? &*leaders_ : nullptr; }
  const std::shared_ptr<CommContext>& leaders_context() const { return leaders_context_; }

  /// Collective on the group: waits until all processes of the group are here, and makes what they wrote visible. A
  /// process that waits leaves its core to others. Throws as CommContext::require_sound() if a process of the context
  /// fails meanwhile.
  void meet();

  /// The memory for blocks that leave the group, and for those that arrive.
  std::span<std::byte> outgoing() const { return memory_->bytes().last(2 * most_bytes).first(most_bytes); }
  std::span<std::byte> incoming() const { return memory_->bytes().last(most_bytes); }

 private:
  NodeGroups(std::shared_ptr<CommContext> context, const NodeSharing& sharing, Rank rank);
  void make_leaders();

  std::shared_ptr<CommContext> context_;
  std::shared_ptr<const NodeSharing> sharing_;
  std::size_t group_;
  std::size_t slot_;
  OwnedComm members_;
  std::optional<SharedMemory> memory_;
  std::optional<MeetingPlace> meeting_place_;
  std::optional<VirtualComm> leaders_;
  std::shared_ptr<CommContext> leaders_context_;  ///< null unless this process is a leader
};

/// An all-to-all in which the blocks from all ranks of one node to another node travel as one message. All ranks of a
/// node write their blocks into shared memory, the leader exchanges them with the other leaders, and all ranks read
/// theirs. Blocks travel in pieces that fit into the shared memory.
class CUBEFOLD_API NodeExchange {
 public:
  /// Collective on the groups' context: makes the exchange whose leaders use `between`. If groups have different
  /// numbers of ranks, its method must not forward blocks. Throws as AlltoallPlan::make().
  static std::unique_ptr<NodeExchange> make(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

  NodeExchange(const NodeExchange&) = delete;
  NodeExchange& operator=(const NodeExchange&) = delete;
  ~NodeExchange();

  /// Collective: sends block j of `send` to rank j and receives block i of `receive` from rank i. Blocks of block_bytes
  /// follow one another in both. All processes must pass the same size; it is not compared. Throws Error if another
  /// process fails meanwhile.
  void run(const std::byte* send, std::byte* receive, std::size_t block_bytes);

 private:
  explicit NodeExchange(std::shared_ptr<NodeGroups> groups);

  void exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes, std::size_t offset,
                      std::size_t piece_bytes);
  void exchange_between_leaders(std::size_t piece_bytes);

  std::shared_ptr<NodeGroups> groups_;
  std::shared_ptr<AlltoallPlan> between_;     ///< null unless this process is a leader
  std::unique_ptr<AlltoallRequest> request_;  ///< null unless this process is a leader
};

}  // namespace cubefold::mpi
