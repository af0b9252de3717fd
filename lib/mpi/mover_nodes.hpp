#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/export.h"
#include "mover.hpp"
#include "node_groups.hpp"
#include "peer_exchange.hpp"
#include "schedule/packing.hpp"

namespace cubefold::mpi {

/// Moves the blocks from all ranks of one node to another node as one message. All ranks of a node write their blocks
/// into its shared memory, the leader exchanges them with the other leaders, and all ranks read theirs. Blocks that
/// stay on a node pass through its memory alone. If the blocks of a node do not fit into the memory, each block travels
/// in pieces, which are as long as the fullest node allows. One thread at a time runs an exchange of the groups.
class CUBEFOLD_API NodeMover : public Mover {
 public:
  /// Collective on the groups' context: makes the exchange whose leaders use `between`. Throws std::invalid_argument on
  /// all processes if its method forwards blocks and nodes have different numbers of ranks, and as AlltoallPlan::make().
  static std::unique_ptr<NodeMover> make(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

  /// Returns whether unequal blocks are the first ones, or need packed copies.
  bool needs_memory(const Sides& sides) const override;

  /// Throws std::invalid_argument also if the method forwards blocks, which need equal sizes then.
  void reserve(const Sides& sides) override;

  /// Throws Error on the receiving process if a process of its node sends a block of another size, or if the blocks
  /// from another node have another size in all; then, and if another process fails meanwhile, the other processes
  /// throw too.
  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  /// The pieces of blocks that travel in one round: of every block the bytes from round * piece_bytes on, up to
  /// piece_bytes of them.
  struct PieceRange {
    std::size_t piece_bytes;
    std::size_t round;

    std::size_t of(std::size_t block_bytes) const {
      return std::min(block_bytes - std::min(block_bytes, round * piece_bytes), piece_bytes);
    }
  };

  /// The message from or to each group, in the memory of the leader's node.
  struct Messages {
    std::vector<int> bytes;
    std::vector<int> offsets;
  };

  NodeMover(std::shared_ptr<NodeGroups> groups, PeerExchange leaders);

  void exchange(const ExchangeSizes& sizes);
  void share_sizes();
  void require_equal_sizes_on_node() const;
  std::size_t choose_piece(const ExchangeSizes& sizes);
  void run_round(const PieceRange& range);
  void place_equal_pieces(std::size_t bytes);
  void place_leaving_pieces(const PieceRange& range);
  void place_arriving_pieces(const PieceRange& range);
  void exchange_between_leaders(const PieceRange& range);

  std::shared_ptr<NodeGroups> groups_;
  PeerExchange leaders_;
  std::size_t own_rank_;
  PackedSides packed_;
  ExchangeMemory memory_;
  // The sizes of unequal blocks between the ranks of this group and all ranks, one row for each rank of the group. The
  // block of a rank for itself counts as empty. They are empty before the first reserve().
  std::vector<std::size_t> sent_sizes_;
  std::vector<std::size_t> received_sizes_;
  // The offsets of this rank's pieces in the memory of the node. In both memories the pieces between two groups are
  // next to one another: those of the first sending rank, in the order of the receiving ranks, then those of the next
  // one.
  std::vector<std::size_t> leaving_;    ///< to each rank
  std::vector<std::size_t> arriving_;   ///< from each rank of another group
  std::vector<std::size_t> from_node_;  ///< from each rank of this group, in the memory for leaving pieces
  Messages to_groups_;
  Messages from_groups_;
};

}  // namespace cubefold::mpi
