#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "comm_context.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/node_pieces.hpp"
#include "shared_memory.hpp"

namespace cubefold::mpi {

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

  /// Returns the processes with the slot of this process, whose ranks are the groups. Slots above 0 have peers only if
  /// all groups have the same number of ranks; otherwise these are nullptr.
  const VirtualComm* peers() const { return peers_ ? &*peers_ : nullptr; }
  const std::shared_ptr<CommContext>& peers_context() const { return peers_context_; }

  /// Returns the lock that a thread holds while it uses the memory and node_barrier().
  std::mutex& mutex() { return mutex_; }

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
  std::optional<VirtualComm> peers_;
  std::shared_ptr<CommContext> peers_context_;
};

}  // namespace cubefold::mpi
