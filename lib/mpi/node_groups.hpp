#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "blocks.hpp"
#include "comm_context.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/alltoall_setup.hpp"
#include "plan/node_pieces.hpp"
#include "shared_memory.hpp"

namespace cubefold::mpi {

class AlltoallPlan;

/// The processes of a job as groups that share nodes: the memory that the group of this process shares, and the
/// communicator of its peers, which have the same slot on all nodes. The leaders, which send for their groups, are the
/// peers with slot 0.
class CUBEFOLD_API NodeGroups {
 public:
  /// Collective: returns on all processes whether the processes of every group are on one host.
  static bool are_on_hosts(MPI_Comm comm, int own_group);

  /// Collective on the context: makes the communicator and takes the memory. Requires comm.sharing(), and
  /// most_piece_bytes() above 0. Throws Error with Status::memory on all processes if the ranks of a node cannot share
  /// memory.
  static std::shared_ptr<NodeGroups> make(const VirtualComm& comm, std::shared_ptr<CommContext> context);

  NodeGroups(const NodeGroups&) = delete;
  NodeGroups& operator=(const NodeGroups&) = delete;
  ~NodeGroups();

  const NodeSharing& sharing() const { return *sharing_; }
  CommContext& context() const { return *context_; }

  /// Returns the group of this process, its slot there, and the number of ranks of the group.
  std::size_t group() const { return group_; }
  std::size_t slot() const { return slot_; }
  std::size_t own_size() const { return sharing_->group_size(group_); }

  /// Calls visit(offset, bytes) for the pieces of a block of this length, one after the other.
  template <typename Visit>
  void for_each_piece(std::size_t block_bytes, Visit visit) const {
    const std::size_t most = most_piece_bytes(*sharing_);
    for (std::size_t offset = 0; offset < block_bytes; offset += most)
      visit(offset, std::min(most, block_bytes - offset));
  }

  /// Collective on the context: returns a plan of an exchange between the peers on the processes that take part, which
  /// must have peers, and null on the others. Throws as AlltoallPlan::make().
  std::shared_ptr<AlltoallPlan> plan_between_peers(const AlltoallSetup& setup, bool takes_part);

  /// Collective on the peers: exchanges blocks of up to largest_bytes on any process. Throws as AlltoallPlan::run(),
  /// and as CommContext::throw_if_peer_failed() if a process of the context fails meanwhile.
  void exchange_with_peers(AlltoallPlan& plan, Sides sides, std::size_t largest_bytes);

  /// Calls exchange(), which uses the memory and node_barrier(), while no other thread does. If it throws, tells the
  /// peers, unless this process has no plan between them.
  template <typename Exchange>
  void with_lock(const AlltoallPlan* plan, Exchange exchange) {
    const std::lock_guard lock(mutex_);
    try {
      exchange();
    } catch (...) {
      if (plan != nullptr) peers_context_->fail(current_failure());
      throw;
    }
  }

  /// Collective on the group: waits until all processes of the group are here, and makes what they wrote visible. A
  /// process that waits leaves its core to others. Throws as CommContext::throw_if_failed() if a process of the context
  /// fails meanwhile.
  void node_barrier();

  /// The memory for the sizes of blocks: two for each pair of a rank of the group and any rank.
  std::span<std::byte> sizes() const {
    return memory_->bytes().last(2 * most_node_bytes + size_bytes()).first(size_bytes());
  }

  /// The memory for blocks that leave the group, and for those that arrive.
  std::span<std::byte> outgoing() const {
    return memory_->bytes().last(2 * most_node_bytes).first(most_node_bytes);
  }
  std::span<std::byte> incoming() const { return memory_->bytes().last(most_node_bytes); }

 private:
  NodeGroups(std::shared_ptr<CommContext> context, const NodeSharing& sharing, Rank rank);
  void make_peers();
  std::size_t size_bytes() const { return 2 * sizeof(std::size_t) * own_size() * sharing_->rank_count(); }

  std::shared_ptr<CommContext> context_;
  std::shared_ptr<const NodeSharing> sharing_;
  std::size_t group_;
  std::size_t slot_;
  std::mutex mutex_;
  std::optional<SharedMemory> memory_;
  std::optional<NodeBarrier> node_barrier_;
  /// The processes with the slot of this process, whose ranks are the groups. Slots above 0 have peers only if all
  /// groups have the same number of ranks.
  std::optional<VirtualComm> peers_;
  std::shared_ptr<CommContext> peers_context_;
};

}  // namespace cubefold::mpi
