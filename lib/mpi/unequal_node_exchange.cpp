#include "unequal_node_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// The piece of a block between a rank of the group and any rank, in the group's memory.
struct Piece {
  std::size_t slot;   ///< of the rank of the group
  std::size_t rank;   ///< the other rank
  std::size_t group;  ///< of the other rank
  std::size_t offset;
  std::size_t bytes;
};

// In both memories the pieces between two groups are next to one another: those of the first sending rank, in the order
// of the receiving ranks, then those of the next one.

/// Calls visit(piece) for all pieces that leave ranks of the group, in the order of their offsets.
template <typename Visit>
void for_each_leaving(const NodeGroups& groups, std::span<const std::size_t> sizes, const Cut& cut,
                      Visit visit) {
  const NodeSharing& sharing = groups.sharing();
  std::size_t offset = 0;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    for (std::size_t slot = 0; slot < groups.own_size(); ++slot) {
      for (std::size_t rank = sharing.first_rank(group); rank < sharing.first_rank(group + 1); ++rank) {
        const std::size_t bytes = cut.of(sizes[slot * sharing.rank_count() + rank]);
        visit(Piece{slot, rank, group, offset, bytes});
        offset += bytes;
      }
    }
  }
}

/// Calls visit(piece) for all pieces that arrive from other groups, in the order of their offsets.
template <typename Visit>
void for_each_arriving(const NodeGroups& groups, std::span<const std::size_t> sizes, const Cut& cut,
                       Visit visit) {
  const NodeSharing& sharing = groups.sharing();
  std::size_t offset = 0;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    if (group == groups.group()) continue;
    for (std::size_t rank = sharing.first_rank(group); rank < sharing.first_rank(group + 1); ++rank) {
      for (std::size_t slot = 0; slot < groups.own_size(); ++slot) {
        const std::size_t bytes = cut.of(sizes[slot * sharing.rank_count() + rank]);
        visit(Piece{slot, rank, group, offset, bytes});
        offset += bytes;
      }
    }
  }
}

/// The messages between this group and the others, by group.
struct Messages {
  explicit Messages(std::size_t group_count) : bytes(group_count), offsets(group_count) {}

  void add(const Piece& piece) {
    if (bytes[piece.group] == 0) offsets[piece.group] = static_cast<int>(piece.offset);
    bytes[piece.group] += static_cast<int>(piece.bytes);
  }

  std::vector<int> bytes;
  std::vector<int> offsets;
};

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

}  // namespace

UnequalNodeExchange::UnequalNodeExchange(std::shared_ptr<NodeGroups> groups, PeerExchange leaders)
    : groups_(std::move(groups)),
      leaders_(std::move(leaders)),
      sent_sizes_(groups_->own_size() * groups_->sharing().rank_count()),
      received_sizes_(sent_sizes_.size()) {}

std::unique_ptr<UnequalNodeExchange> UnequalNodeExchange::make(std::shared_ptr<NodeGroups> groups,
                                                               const AlltoallSetup& between) {
  auto leaders = PeerExchange::make(groups, between, Peers::leaders);
  std::unique_ptr<UnequalNodeExchange> made;
  collective_try(groups->context().comm(), [&] {
    leaders.require_no_passing("a method that passes blocks on needs blocks of one size");
    made.reset(new UnequalNodeExchange(groups, std::move(leaders)));
  });
  return made;
}

void UnequalNodeExchange::reserve(const TypedBlocks& sent, const TypedBlocks& received,
                                  BufferMode sent_mode) {
  sent_.reserve(sent, sent_mode);
  received_.reserve(received, BufferMode::direct);
}

void UnequalNodeExchange::bind(TypedBlocks sent, TypedBlocks received, BufferMode sent_mode) {
  received_.set(std::move(received), BufferMode::direct);
  sent_.set(std::move(sent), sent_mode);
  memory_ = {sent_.memory(), received_.memory(), 0, &sent_.table(), &received_.table()};
}

void UnequalNodeExchange::run(const UnequalSizes& sizes) {
  leaders_.alone([&] {
    MPI_Comm comm = groups_->context().comm();
    sent_.pack(comm);
    run_here(sizes);
    received_.unpack(comm);
  });
}

void UnequalNodeExchange::run_here(const UnequalSizes& sizes) {
  memory_.block_bytes = sizes.largest_bytes;
  copy_own_block();
  if (sizes.largest_bytes == 0) return;
  share_sizes();
  const std::size_t piece = choose_piece(sizes);
  for (std::size_t round = 0; round * piece < sizes.largest_bytes; ++round) run_round({piece, round});
}

std::size_t UnequalNodeExchange::own_rank() const {
  return groups_->sharing().first_rank(groups_->group()) + groups_->slot();
}

void UnequalNodeExchange::copy_own_block() {
  const std::size_t own = own_rank();
  const std::size_t bytes = memory_.send_table->sizes[own];
  if (bytes == 0) return;
  std::memcpy(memory_.receive + memory_.receive_table->offsets[own],
              memory_.send + memory_.send_table->offsets[own], bytes);
}

/// Collective on the group: sets the sizes of all its blocks. A process writes to the shared sizes again only after
/// another meeting, when the others have copied them.
void UnequalNodeExchange::share_sizes() {
  const std::size_t rank_count = groups_->sharing().rank_count();
  const std::size_t side_bytes = sent_sizes_.size() * sizeof(std::size_t);
  std::byte* const shared = groups_->sizes().data();
  const auto write_row = [&](std::span<const std::size_t> sizes, std::byte* side) {
    std::byte* const row = side + groups_->slot() * rank_count * sizeof(std::size_t);
    std::memcpy(row, sizes.data(), sizes.size_bytes());
    std::memset(row + own_rank() * sizeof(std::size_t), 0, sizeof(std::size_t));
  };
  write_row(memory_.send_table->sizes, shared);
  write_row(memory_.receive_table->sizes, shared + side_bytes);
  groups_->meet();
  std::memcpy(sent_sizes_.data(), shared, side_bytes);
  std::memcpy(received_sizes_.data(), shared + side_bytes, side_bytes);
  require_equal_sizes_on_node();
}

void UnequalNodeExchange::require_equal_sizes_on_node() const {
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

/// Collective: returns the size of the pieces in which blocks travel. Communicates only if the blocks of a node might
/// not fit into its memory.
std::size_t UnequalNodeExchange::choose_piece(const UnequalSizes& sizes) {
  const std::size_t longest = sizes.largest_bytes;
  constexpr std::size_t most = most_node_bytes;
  if (sizes.process_bytes <= most / groups_->sharing().largest_group()) return longest;
  const std::size_t fitting = std::min(longest_fitting_piece(sent_sizes_, longest, most),
                                       longest_fitting_piece(received_sizes_, longest, most));
  return static_cast<std::size_t>(-groups_->context().largest(-static_cast<double>(fitting)));
}

void UnequalNodeExchange::run_round(const Cut& cut) {
  const RoundMemory pieces(memory_, nullptr, cut.piece_bytes, cut.round);
  const auto is_own = [&](const Piece& piece) { return piece.slot == groups_->slot() && piece.bytes > 0; };
  std::byte* const outgoing = groups_->outgoing().data();
  const std::byte* const incoming = groups_->incoming().data();
  for_each_leaving(*groups_, sent_sizes_, cut, [&](const Piece& piece) {
    if (is_own(piece)) pieces.read(Area::send, static_cast<Slot>(piece.rank), outgoing + piece.offset);
  });
  groups_->meet();
  if (leaders_.takes_part()) exchange_between_leaders(cut);
  const std::size_t own = own_rank();
  const std::size_t first = own - groups_->slot();
  for_each_leaving(*groups_, sent_sizes_, cut, [&](const Piece& piece) {
    if (piece.rank == own && piece.bytes > 0)
      pieces.write(Area::receive, static_cast<Slot>(first + piece.slot), outgoing + piece.offset);
  });
  groups_->meet();
  for_each_arriving(*groups_, received_sizes_, cut, [&](const Piece& piece) {
    if (is_own(piece)) pieces.write(Area::receive, static_cast<Slot>(piece.rank), incoming + piece.offset);
  });
}

void UnequalNodeExchange::exchange_between_leaders(const Cut& cut) {
  const NodeSharing& sharing = groups_->sharing();
  Messages leaving(sharing.group_count());
  Messages arriving(sharing.group_count());
  for_each_leaving(*groups_, sent_sizes_, cut, [&](const Piece& piece) {
    if (piece.group != groups_->group()) leaving.add(piece);
  });
  for_each_arriving(*groups_, received_sizes_, cut, [&](const Piece& piece) { arriving.add(piece); });
  const std::size_t pairs = sharing.largest_group() * sharing.largest_group();
  leaders_.run(TypedBlocks(groups_->outgoing().data(), leaving.bytes, leaving.offsets, MPI_BYTE),
               TypedBlocks(groups_->incoming().data(), arriving.bytes, arriving.offsets, MPI_BYTE),
               std::min(most_node_bytes, pairs * std::min(cut.piece_bytes, memory_.block_bytes)));
}

}  // namespace cubefold::mpi
