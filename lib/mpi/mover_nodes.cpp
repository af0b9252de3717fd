#include "mover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "cubefold/mpi/error.hpp"
#include "node_groups.hpp"
#include "schedule/packing.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the longest pieces, up to `longest`, into which blocks of these sizes can be cut so that a piece of every
/// block fits into the memory.
std::size_t longest_fitting_piece(std::span<const std::size_t> sizes, std::size_t longest,
                                  std::size_t memory_bytes) {
  const auto fits = [&](std::size_t piece) {
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += std::min(size, piece);
    return total <= memory_bytes;
  };
  if (fits(longest)) return longest;
  std::size_t fitting = 0;
  std::size_t too_long = longest;
  while (too_long - fitting > 1) {
    const std::size_t middle = fitting + (too_long - fitting) / 2;
    (fits(middle) ? fitting : too_long) = middle;
  }
  return fitting;
}

class NodeMover : public Mover {
 public:
  NodeMover(std::shared_ptr<NodeGroups> groups, std::shared_ptr<AlltoallPlan> leaders);

  /// Returns whether unequal blocks are the first ones, or need packed copies.
  bool needs_memory(const Sides& sides) const override;

  void reserve(const Sides& sides) override;

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
  std::shared_ptr<AlltoallPlan> leaders_;  ///< null unless this process is a leader
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

}  // namespace

NodeMover::NodeMover(std::shared_ptr<NodeGroups> groups, std::shared_ptr<AlltoallPlan> leaders)
    : groups_(std::move(groups)),
      leaders_(std::move(leaders)),
      own_rank_(groups_->sharing().first_rank(groups_->group()) + groups_->slot()),
      leaving_(groups_->sharing().rank_count()),
      arriving_(leaving_.size()),
      from_node_(groups_->own_size()) {
  for (Messages* messages : {&to_groups_, &from_groups_}) {
    messages->bytes.resize(groups_->sharing().group_count());
    messages->offsets.resize(messages->bytes.size());
  }
}

bool NodeMover::needs_memory(const Sides& sides) const {
  return !sides.received.are_equal() && (sent_sizes_.empty() || sides.need_copies());
}

void NodeMover::reserve(const Sides& sides) {
  agree_on_outcome(groups_->context().comm(), [&] {
    if (leaders_ && leaders_->forwards_blocks())
      throw std::invalid_argument("a method that passes blocks on needs blocks of one size");
    packed_.reserve(sides);
    sent_sizes_.resize(groups_->own_size() * groups_->sharing().rank_count());
    received_sizes_.resize(sent_sizes_.size());
  });
}

void NodeMover::run(const Sides& sides, const ExchangeSizes& sizes) {
  packed_.set(sides);
  memory_ = {packed_.sent().memory(), packed_.received().memory(), sizes.largest_bytes};
  if (!sides.received.are_equal()) {
    memory_.send_table = &packed_.sent().table();
    memory_.receive_table = &packed_.received().table();
  }
  groups_->with_lock(leaders_.get(), [&] {
    groups_->context().drain();
    groups_->context().barrier_within_limit();
    packed_.run(groups_->context(), [&] { exchange(sizes); });
  });
}

void NodeMover::exchange(const ExchangeSizes& sizes) {
  const PieceMemory whole(memory_, nullptr, std::numeric_limits<std::size_t>::max(), 0);
  const auto own = static_cast<Slot>(own_rank_);
  whole.read(Area::send, own, whole.piece(Area::receive, own).data());
  if (sizes.largest_bytes == 0) return;
  if (memory_.send_table != nullptr) share_sizes();
  const std::size_t piece = choose_piece(sizes);
  for (std::size_t round = 0; round * piece < sizes.largest_bytes; ++round) run_round({piece, round});
}

/// Collective on the group: sets the sizes of all its blocks. A process writes to the shared sizes again only after
/// another meeting, when the others have copied them.
void NodeMover::share_sizes() {
  const std::size_t rank_count = groups_->sharing().rank_count();
  const std::size_t side_bytes = sent_sizes_.size() * sizeof(std::size_t);
  std::byte* const shared = groups_->sizes().data();
  const auto write_row = [&](std::span<const std::size_t> sizes, std::byte* side) {
    std::byte* const row = side + groups_->slot() * rank_count * sizeof(std::size_t);
    std::memcpy(row, sizes.data(), sizes.size_bytes());
    std::memset(row + own_rank_ * sizeof(std::size_t), 0, sizeof(std::size_t));
  };
  write_row(memory_.send_table->sizes, shared);
  write_row(memory_.receive_table->sizes, shared + side_bytes);
  groups_->node_barrier();
  std::memcpy(sent_sizes_.data(), shared, side_bytes);
  std::memcpy(received_sizes_.data(), shared + side_bytes, side_bytes);
  require_equal_sizes_on_node();
}

void NodeMover::require_equal_sizes_on_node() const {
  const std::size_t rank_count = groups_->sharing().rank_count();
  const std::size_t first = groups_->sharing().first_rank(groups_->group());
  for (std::size_t from = 0; from < groups_->own_size(); ++from) {
    for (std::size_t to = 0; to < groups_->own_size(); ++to) {
      const std::size_t sent = sent_sizes_[from * rank_count + first + to];
      const std::size_t expected = received_sizes_[to * rank_count + first + from];
      if (sent == expected) continue;
      throw Error(Status::mpi, fmt::format("process {} sends {} bytes to process {}, which expects {}",
                                           first + from, sent, first + to, expected));
    }
  }
}

/// Collective: returns the size of the pieces in which blocks travel. Communicates only if unequal blocks of a node
/// might not fit into its memory.
std::size_t NodeMover::choose_piece(const ExchangeSizes& sizes) {
  const std::size_t longest = sizes.largest_bytes;
  if (memory_.send_table == nullptr) return std::min(longest, most_piece_bytes(groups_->sharing()));
  constexpr std::size_t most = most_node_bytes;
  if (sizes.process_bytes <= most / groups_->sharing().largest_group()) return longest;
  const std::size_t fitting = std::min(longest_fitting_piece(sent_sizes_, longest, most),
                                       longest_fitting_piece(received_sizes_, longest, most));
  return static_cast<std::size_t>(-groups_->context().largest(-static_cast<double>(fitting)));
}

void NodeMover::run_round(const PieceRange& range) {
  if (memory_.send_table == nullptr) {
    place_equal_pieces(range.of(memory_.block_bytes));
  } else {
    place_leaving_pieces(range);
    place_arriving_pieces(range);
  }
  const PieceMemory pieces(memory_, nullptr, range.piece_bytes, range.round);
  std::byte* const outgoing = groups_->outgoing().data();
  const std::byte* const incoming = groups_->incoming().data();
  for (std::size_t rank = 0; rank < leaving_.size(); ++rank)
    if (rank != own_rank_) pieces.read(Area::send, static_cast<Slot>(rank), outgoing + leaving_[rank]);
  groups_->node_barrier();
  if (leaders_) exchange_between_leaders(range);
  const std::size_t first = own_rank_ - groups_->slot();
  for (std::size_t slot = 0; slot < from_node_.size(); ++slot) {
    if (slot != groups_->slot())
      pieces.write(Area::receive, static_cast<Slot>(first + slot), outgoing + from_node_[slot]);
  }
  groups_->node_barrier();
  for (std::size_t rank = 0; rank < arriving_.size(); ++rank) {
    if (rank < first || rank >= first + from_node_.size())
      pieces.write(Area::receive, static_cast<Slot>(rank), incoming + arriving_[rank]);
  }
}

void NodeMover::place_equal_pieces(std::size_t bytes) {
  const NodeSharing& sharing = groups_->sharing();
  const std::size_t own_size = groups_->own_size();
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t first = sharing.first_rank(group);
    const std::size_t size = sharing.group_size(group);
    for (std::size_t slot = 0; slot < size; ++slot) {
      leaving_[first + slot] = (own_size * first + groups_->slot() * size + slot) * bytes;
      arriving_[first + slot] = (own_size * first + slot * own_size + groups_->slot()) * bytes;
    }
    const bool stays = group == groups_->group();
    to_groups_.bytes[group] = from_groups_.bytes[group] =
        stays ? 0 : static_cast<int>(own_size * size * bytes);
    to_groups_.offsets[group] = from_groups_.offsets[group] = static_cast<int>(own_size * first * bytes);
  }
  const std::size_t own_first = own_rank_ - groups_->slot();
  for (std::size_t slot = 0; slot < own_size; ++slot)
    from_node_[slot] = (own_size * own_first + slot * own_size + groups_->slot()) * bytes;
}

void NodeMover::place_leaving_pieces(const PieceRange& range) {
  const NodeSharing& sharing = groups_->sharing();
  std::size_t offset = 0;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t begin = offset;
    for (std::size_t slot = 0; slot < groups_->own_size(); ++slot) {
      for (std::size_t rank = sharing.first_rank(group); rank < sharing.first_rank(group + 1); ++rank) {
        if (slot == groups_->slot()) leaving_[rank] = offset;
        if (rank == own_rank_) from_node_[slot] = offset;
        offset += range.of(sent_sizes_[slot * sharing.rank_count() + rank]);
      }
    }
    to_groups_.offsets[group] = static_cast<int>(begin);
    to_groups_.bytes[group] = group == groups_->group() ? 0 : static_cast<int>(offset - begin);
  }
}

void NodeMover::place_arriving_pieces(const PieceRange& range) {
  const NodeSharing& sharing = groups_->sharing();
  std::size_t offset = 0;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t begin = offset;
    for (std::size_t rank = sharing.first_rank(group); rank < sharing.first_rank(group + 1); ++rank) {
      if (group == groups_->group()) break;
      for (std::size_t slot = 0; slot < groups_->own_size(); ++slot) {
        if (slot == groups_->slot()) arriving_[rank] = offset;
        offset += range.of(received_sizes_[slot * sharing.rank_count() + rank]);
      }
    }
    from_groups_.offsets[group] = static_cast<int>(begin);
    from_groups_.bytes[group] = static_cast<int>(offset - begin);
  }
}

// A method that forwards blocks needs equal ones, also for the group itself.
void NodeMover::exchange_between_leaders(const PieceRange& range) {
  const std::size_t pairs = groups_->sharing().largest_group() * groups_->sharing().largest_group();
  const std::size_t largest = pairs * std::min(range.piece_bytes, memory_.block_bytes);
  std::byte* const outgoing = groups_->outgoing().data();
  std::byte* const incoming = groups_->incoming().data();
  if (leaders_->forwards_blocks()) {
    const std::size_t bytes = pairs * range.of(memory_.block_bytes);
    const auto count = static_cast<int>(bytes);
    return groups_->exchange_with_peers(*leaders_,
                                        Sides(outgoing, count, MPI_BYTE, incoming, count, MPI_BYTE), bytes);
  }
  groups_->exchange_with_peers(*leaders_,
                               Sides(outgoing, to_groups_.bytes, to_groups_.offsets, MPI_BYTE, incoming,
                                     from_groups_.bytes, from_groups_.offsets, MPI_BYTE),
                               std::min(most_node_bytes, largest));
}

std::unique_ptr<Mover> make_node_mover(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between) {
  auto leaders = groups->plan_between_peers(between, groups->slot() == 0);
  return agree_on_outcome(groups->context().comm(), [&] {
    if (!groups->sharing().is_even() && leaders && leaders->forwards_blocks())
      throw std::invalid_argument("a method that passes blocks on needs equally many ranks on all nodes");
    return std::unique_ptr<Mover>(std::make_unique<NodeMover>(groups, std::move(leaders)));
  });
}

}  // namespace cubefold::mpi
