#pragma once

#include <cstddef>
#include <memory>

#include "cubefold/export.h"
#include "mover.hpp"
#include "node_groups.hpp"
#include "peer_exchange.hpp"

namespace cubefold::mpi {

/// Moves the blocks of every rank of a node for another node as one message, to the rank there that has its slot.
/// Messages arrive in the shared memory of the node, where all ranks read theirs. A node has as many start-ups as ranks
/// for each other node, but no single process moves all of its data, as in NodeMover. Blocks, which must be equal,
/// travel in pieces that fit into the shared memory. One thread at a time runs an exchange of the groups.
class CUBEFOLD_API SlotMover : public Mover {
 public:
  /// Collective on the groups' context: makes the exchange in which the processes of every slot use `between`. Throws
  /// std::invalid_argument on all processes if groups have different numbers of ranks, and as AlltoallPlan::make().
  static std::unique_ptr<SlotMover> make(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  SlotMover(std::shared_ptr<NodeGroups> groups, PeerExchange peers);

  void exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes, std::size_t offset,
                      std::size_t piece_bytes);
  const std::byte* packed_pieces(const std::byte* send, std::size_t block_bytes, std::size_t offset,
                                 std::size_t piece_bytes) const;
  void take_pieces(std::byte* receive, std::size_t block_bytes, std::size_t offset,
                   std::size_t piece_bytes) const;

  std::shared_ptr<NodeGroups> groups_;
  PeerExchange peers_;
  PackedSides packed_;
};

}  // namespace cubefold::mpi
