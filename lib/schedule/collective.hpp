#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "neighbour_grid.hpp"

namespace cubefold {

/// Describes a collective by a pre-condition and a post-condition over chunks. Before it, some ranks have a
/// contribution to a chunk. After it, some ranks must have the chunk with all contributions, which are reduced to one
/// value if there are several.
///
/// | collective        | chunk             | contributed by | wanted by   |
/// |-------------------|-------------------|----------------|-------------|
/// | complete exchange | {r, j}, a block   | r              | j           |
/// | allgather         | {c, c}, numbered  | owner of c     | all         |
/// | reduce-scatter    | {c, c}            | all            | owner of c  |
/// | allreduce         | {c, c}            | all            | all         |
/// | neighbour exchange| {c, c}, an edge   | its beginning  | its end     |
///
/// Every owner has equally many consecutive chunks. All functions cost O(1), and O(axes) in a neighbour exchange.
class CUBEFOLD_API Collective {
 public:
  static Collective complete_exchange(std::size_t rank_count);
  static Collective allgather(std::size_t rank_count, std::size_t chunks_per_rank = 1);
  static Collective reduce_scatter(std::size_t rank_count, std::size_t chunks_per_rank = 1);
  static Collective allreduce(std::size_t rank_count, std::size_t chunk_count);

  /// Returns the exchange of the blocks of all edges. Its chunks are those of NeighbourGrid. It is not among those of
  /// named().
  static Collective neighbour_exchange(NeighbourGrid edges);

  /// Returns the collective of a name() with so many chunks. Throws std::invalid_argument for another name, and for a
  /// number of chunks below 1, above 64 for each rank, or that the owners cannot have equally.
  static Collective named(std::string_view name, std::size_t rank_count, std::size_t chunk_count);

  /// Returns `exchange`, `allgather`, `reduce-scatter`, `allreduce` or `neighbours`.
  std::string_view name() const;

  std::size_t rank_count() const { return rank_count_; }

  /// Returns the number of chunks with numbers, which is 0 in a complete exchange.
  std::size_t chunk_count() const { return chunk_count_; }

  /// Returns how many consecutive chunks every owner has, or 0 if chunks have no owners, as in an allreduce.
  std::size_t chunks_per_owner() const { return has_owners() ? chunks_per_rank_ : 0; }

  /// Returns whether this is a complete exchange, whose chunks have no numbers. A chunk is then on one rank at a time:
  /// a message takes it from its sender.
  bool moves_chunks() const { return chunk_count_ == 0 && !edges_; }

  /// Returns whether the collective has such a chunk. The following functions require it.
  bool has(const Block& chunk) const {
    if (moves_chunks()) return label(chunk.source) < rank_count_ && label(chunk.destination) < rank_count_;
    const bool is_numbered = chunk.source == chunk.destination && label(chunk.source) < chunk_count_;
    return is_numbered && (!edges_ || end_of_edge(chunk));
  }

  /// These return the pre-condition and the post-condition of a rank for a chunk.
  bool contributes(Rank rank, const Block& chunk) const {
    if (edges_ && !end_of_edge(chunk)) return false;
    return contributors_ == Ranks::all || label(chunk.source) / chunks_per_rank_ == label(rank);
  }
  bool wants(Rank rank, const Block& chunk) const {
    if (edges_) return end_of_edge(chunk) == rank;
    return receivers_ == Ranks::all || label(chunk.destination) / chunks_per_rank_ == label(rank);
  }

  /// These return the place of a chunk in the send buffer of a rank that contributes, and in the receive buffer of one
  /// that wants the chunk, counted in chunks.
  std::uint32_t send_slot(const Block& chunk) const;
  std::uint32_t receive_slot(const Block& chunk) const;

  bool operator==(const Collective&) const = default;

 private:
  enum class Ranks : std::uint8_t { owner, all };

  /// Returns the rank to which the edge of a chunk leads, or nothing if there is no such edge.
  std::optional<Rank> end_of_edge(const Block& chunk) const {
    const std::uint32_t number = label(chunk.source);
    const auto edge_count = static_cast<std::uint32_t>(chunks_per_rank_);
    return edges_->destination(Rank{number / edge_count}, number % edge_count);
  }

  bool has_owners() const { return contributors_ == Ranks::owner || receivers_ == Ranks::owner; }

  Collective(std::size_t rank_count, std::size_t chunk_count, std::size_t chunks_per_rank, Ranks contributors,
             Ranks receivers)
      : rank_count_(rank_count),
        chunk_count_(chunk_count),
        chunks_per_rank_(chunks_per_rank),
        contributors_(contributors),
        receivers_(receivers) {}

  std::size_t rank_count_;
  std::size_t chunk_count_;
  std::size_t chunks_per_rank_;
  Ranks contributors_;
  Ranks receivers_;
  std::optional<NeighbourGrid> edges_ = std::nullopt;  ///< of a neighbour exchange
};

/// Returns the name of chunk `number` in messages.
constexpr Block numbered_chunk(std::uint32_t number) {
  return {Rank{number}, Rank{number}};
}

}  // namespace cubefold
