#include "node_exchange.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "alltoall_plan.hpp"

namespace cubefold::mpi {

NodeExchange::NodeExchange(std::shared_ptr<NodeGroups> groups, PeerExchange leaders)
    : groups_(std::move(groups)), leaders_(std::move(leaders)) {}

std::unique_ptr<NodeExchange> NodeExchange::make(std::shared_ptr<NodeGroups> groups,
                                                 const AlltoallSetup& between) {
  auto leaders = PeerExchange::make(groups, between, Peers::leaders);
  std::unique_ptr<NodeExchange> made;
  collective_try(groups->context().comm(), [&] {
    if (!groups->sharing().is_even())
      leaders.require_no_passing("a method that passes blocks on needs equally many ranks on all nodes");
    made.reset(new NodeExchange(groups, std::move(leaders)));
  });
  return made;
}

void NodeExchange::run(const std::byte* send, std::byte* receive, std::size_t block_bytes) {
  leaders_.alone([&] {
    groups_->context().drain();
    groups_->for_each_piece(block_bytes, [&](std::size_t offset, std::size_t piece_bytes) {
      exchange_piece(send, receive, block_bytes, offset, piece_bytes);
    });
  });
}

// In both memories the blocks between two groups are next to one another: those of the first sending rank, in the order
// of the receiving ranks, then those of the next one.
void NodeExchange::exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes,
                                  std::size_t offset, std::size_t piece_bytes) {
  const NodeSharing& sharing = groups_->sharing();
  const std::size_t own_size = groups_->own_size();
  const auto at = [&](std::span<std::byte> memory, std::size_t first_rank, std::size_t place) {
    return memory.data() + (own_size * first_rank + place) * piece_bytes;
  };
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t first = sharing.first_rank(group);
    const std::size_t size = sharing.group_size(group);
    std::byte* to = at(groups_->outgoing(), first, groups_->slot() * size);
    for (std::size_t slot = 0; slot < size; ++slot)
      std::memcpy(to + slot * piece_bytes, send + (first + slot) * block_bytes + offset, piece_bytes);
  }
  groups_->meet();
  if (leaders_.takes_part()) exchange_between_leaders(piece_bytes);
  groups_->meet();
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t first = sharing.first_rank(group);
    for (std::size_t slot = 0; slot < sharing.group_size(group); ++slot) {
      const std::byte* from = at(groups_->incoming(), first, slot * own_size + groups_->slot());
      std::memcpy(receive + (first + slot) * block_bytes + offset, from, piece_bytes);
    }
  }
}

void NodeExchange::exchange_between_leaders(std::size_t piece_bytes) {
  const NodeSharing& sharing = groups_->sharing();
  std::byte* const outgoing = groups_->outgoing().data();
  std::byte* const incoming = groups_->incoming().data();
  std::vector<int> counts;
  std::vector<int> displacements;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    counts.push_back(static_cast<int>(groups_->own_size() * sharing.group_size(group) * piece_bytes));
    displacements.push_back(static_cast<int>(groups_->own_size() * sharing.first_rank(group) * piece_bytes));
  }
  if (sharing.is_even()) {
    leaders_.run(AlltoallBuffers{outgoing, counts[0], MPI_BYTE, incoming, counts[0], MPI_BYTE});
    return;
  }
  leaders_.run(TypedBlocks(outgoing, counts, displacements, MPI_BYTE),
               TypedBlocks(incoming, counts, displacements, MPI_BYTE),
               sharing.largest_group() * sharing.largest_group() * piece_bytes);
}

}  // namespace cubefold::mpi
