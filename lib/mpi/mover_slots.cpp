#include "mover.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "node_groups.hpp"

namespace cubefold::mpi {

namespace {

class SlotMover : public Mover {
 public:
  SlotMover(std::shared_ptr<NodeGroups> groups, std::shared_ptr<AlltoallPlan> peers);

  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  void exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes, std::size_t offset,
                      std::size_t piece_bytes);
  const std::byte* packed_pieces(const std::byte* send, std::size_t block_bytes, std::size_t offset,
                                 std::size_t piece_bytes) const;
  void take_pieces(std::byte* receive, std::size_t block_bytes, std::size_t offset,
                   std::size_t piece_bytes) const;

  std::shared_ptr<NodeGroups> groups_;
  std::shared_ptr<AlltoallPlan> peers_;
  PackedSides packed_;
};

}  // namespace

SlotMover::SlotMover(std::shared_ptr<NodeGroups> groups, std::shared_ptr<AlltoallPlan> peers)
    : groups_(std::move(groups)), peers_(std::move(peers)) {}

void SlotMover::run(const Sides& sides, const ExchangeSizes& sizes) {
  packed_.set(sides);
  const std::byte* const send = packed_.sent().memory();
  std::byte* const receive = packed_.received().memory();
  groups_->with_lock(peers_.get(), [&] {
    groups_->context().drain();
    groups_->context().barrier_within_limit();
    packed_.run(groups_->context(), [&] {
      groups_->for_each_piece(sizes.largest_bytes, [&](std::size_t offset, std::size_t piece_bytes) {
        exchange_piece(send, receive, sizes.largest_bytes, offset, piece_bytes);
      });
    });
  });
}

// Messages arrive in the memory from which the ranks of the node read those of the piece before, so they meet first.
void SlotMover::exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes,
                               std::size_t offset, std::size_t piece_bytes) {
  const NodeSharing& sharing = groups_->sharing();
  const bool is_whole = piece_bytes == block_bytes;
  const std::byte* from = is_whole ? send : packed_pieces(send, block_bytes, offset, piece_bytes);
  std::byte* to = groups_->incoming().data() + groups_->slot() * sharing.rank_count() * piece_bytes;
  const auto count = static_cast<int>(sharing.largest_group() * piece_bytes);
  groups_->node_barrier();
  groups_->exchange_with_peers(*peers_, Sides(from, count, MPI_BYTE, to, count, MPI_BYTE),
                               static_cast<std::size_t>(count));
  groups_->node_barrier();
  take_pieces(receive, block_bytes, offset, piece_bytes);
}

/// Copies the pieces of this process to its part of the outgoing memory, which no other process reads.
const std::byte* SlotMover::packed_pieces(const std::byte* send, std::size_t block_bytes, std::size_t offset,
                                          std::size_t piece_bytes) const {
  const std::size_t rank_count = groups_->sharing().rank_count();
  std::byte* const packed = groups_->outgoing().data() + groups_->slot() * rank_count * piece_bytes;
  for (std::size_t rank = 0; rank < rank_count; ++rank)
    std::memcpy(packed + rank * piece_bytes, send + rank * block_bytes + offset, piece_bytes);
  return packed;
}

/// Copies the pieces for this process from the incoming memory. The part of each slot has the pieces from the ranks
/// with this slot, node by node, each in the order of the receiving slots.
void SlotMover::take_pieces(std::byte* receive, std::size_t block_bytes, std::size_t offset,
                            std::size_t piece_bytes) const {
  const std::size_t size = groups_->sharing().largest_group();
  const std::size_t rank_count = groups_->sharing().rank_count();
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    const std::size_t place = rank % size * rank_count + rank / size * size + groups_->slot();
    std::memcpy(receive + rank * block_bytes + offset, groups_->incoming().data() + place * piece_bytes,
                piece_bytes);
  }
}

std::unique_ptr<Mover> make_slot_mover(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between) {
  MPI_Comm all = groups->context().comm();
  agree_on_outcome(all, [&] {
    if (!groups->sharing().is_even())
      throw std::invalid_argument("an exchange between slots needs equally many ranks on all nodes");
  });
  auto peers = groups->plan_between_peers(between, true);
  return agree_on_outcome(
      all, [&] { return std::unique_ptr<Mover>(std::make_unique<SlotMover>(groups, std::move(peers))); });
}

}  // namespace cubefold::mpi
