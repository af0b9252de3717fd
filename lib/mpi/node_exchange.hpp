#pragma once

#include <cstddef>
#include <memory>

#include "cubefold/export.h"
#include "node_groups.hpp"
#include "peer_exchange.hpp"

namespace cubefold::mpi {

/// An all-to-all in which the blocks from all ranks of one node to another node travel as one message. All ranks of a
/// node write their blocks into shared memory, the leader exchanges them with the other leaders, and all ranks read
/// theirs. Blocks travel in pieces that fit into the shared memory. One thread at a time runs an exchange of the
/// groups.
class CUBEFOLD_API NodeExchange {
 public:
  /// Collective on the groups' context: makes the exchange whose leaders use `between`. If groups have different
  /// numbers of ranks, its method must not forward blocks. Throws as AlltoallPlan::make().
  static std::unique_ptr<NodeExchange> make(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

  /// Collective: sends block j of `send` to rank j and receives block i of `receive` from rank i. Blocks of block_bytes
  /// follow one another in both. All processes must pass the same size; it is not compared. Throws Error if another
  /// process fails meanwhile.
  void run(const std::byte* send, std::byte* receive, std::size_t block_bytes);

 private:
  NodeExchange(std::shared_ptr<NodeGroups> groups, PeerExchange leaders);

  void exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes, std::size_t offset,
                      std::size_t piece_bytes);
  void exchange_between_leaders(std::size_t piece_bytes);

  std::shared_ptr<NodeGroups> groups_;
  PeerExchange leaders_;
};

}  // namespace cubefold::mpi
