#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "alltoall_request.hpp"
#include "cubefold/export.h"
#include "node_groups.hpp"
#include "peer_exchange.hpp"
#include "plan/unequal_tuning.hpp"
#include "typed_blocks.hpp"

namespace cubefold::mpi {

/// The pieces of blocks that travel in one round: of every block the bytes from round * piece_bytes on, up to
/// piece_bytes of them.
struct Cut {
  std::size_t piece_bytes;
  std::size_t round;

  std::size_t of(std::size_t block_bytes) const {
    return std::min(block_bytes - std::min(block_bytes, round * piece_bytes), piece_bytes);
  }
};

/// An all-to-all of blocks of any sizes in which the blocks from all ranks of one node to another node travel as one
/// message, as in NodeExchange. The ranks of a node first tell one another the sizes of their blocks. Blocks that stay
/// on a node pass through its shared memory alone. If the blocks of a node do not fit into that memory, each block
/// travels in pieces, which are as long as the fullest node allows.
class CUBEFOLD_API UnequalNodeExchange {
 public:
  /// Collective on the groups' context: makes the exchange whose leaders use `between`, which must not forward blocks.
  /// Throws as AlltoallPlan::make().
  static std::unique_ptr<UnequalNodeExchange> make(std::shared_ptr<NodeGroups> groups,
                                                   const AlltoallSetup& between);

  /// Takes the memory that bind() needs for these blocks, or for any others that are dense and not packed, so that it
  /// takes none. Does not communicate.
  void reserve(const TypedBlocks& sent, const TypedBlocks& received, BufferMode sent_mode);

  /// Sets the blocks of the next run, one for each rank on both sides. The received blocks may be in the memory of the
  /// sent blocks if these are packed.
  void bind(TypedBlocks sent, TypedBlocks received, BufferMode sent_mode);

  /// Collective: exchanges the blocks. The sizes are the largest of all processes. Throws Error on the receiving
  /// process if a process of its node sends a block of another size, or if the blocks from another node have another
  /// size in all; then, and if another process fails meanwhile, the other processes throw too.
  void run(const UnequalSizes& sizes);

 private:
  UnequalNodeExchange(std::shared_ptr<NodeGroups> groups, PeerExchange leaders);

  std::size_t own_rank() const;
  void run_here(const UnequalSizes& sizes);
  void copy_own_block();
  void share_sizes();
  void require_equal_sizes_on_node() const;
  std::size_t choose_piece(const UnequalSizes& sizes);
  void run_round(const Cut& cut);
  void exchange_between_leaders(const Cut& cut);

  std::shared_ptr<NodeGroups> groups_;
  PeerExchange leaders_;
  BlockBuffer sent_;
  BlockBuffer received_;
  ExchangeMemory memory_;
  // The sizes of the blocks between the ranks of this group and all ranks, one row for each rank of the group. The
  // block of a rank for itself counts as empty.
  std::vector<std::size_t> sent_sizes_;
  std::vector<std::size_t> received_sizes_;
};

}  // namespace cubefold::mpi
