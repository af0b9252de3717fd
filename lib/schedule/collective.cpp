#include "collective.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace cubefold {

Collective Collective::complete_exchange(std::size_t rank_count) {
  return {rank_count, 0, 1, Ranks::owner, Ranks::owner};
}

Collective Collective::allgather(std::size_t rank_count, std::size_t chunks_per_rank) {
  return {rank_count, rank_count * chunks_per_rank, chunks_per_rank, Ranks::owner, Ranks::all};
}

Collective Collective::reduce_scatter(std::size_t rank_count, std::size_t chunks_per_rank) {
  return {rank_count, rank_count * chunks_per_rank, chunks_per_rank, Ranks::all, Ranks::owner};
}

Collective Collective::allreduce(std::size_t rank_count, std::size_t chunk_count) {
  return {rank_count, chunk_count, 1, Ranks::all, Ranks::all};
}

Collective Collective::neighbour_exchange(NeighbourGrid edges) {
  const std::size_t rank_count = edges.rank_count();
  Collective made{rank_count, rank_count * edges.edge_count(), edges.edge_count(), Ranks::owner,
                  Ranks::owner};
  made.edges_ = std::move(edges);
  return made;
}

Collective Collective::named(std::string_view name, std::size_t rank_count, std::size_t chunk_count) {
  constexpr std::size_t most_per_rank = 64;
  if (chunk_count < 1 || chunk_count > most_per_rank * rank_count) {
    throw std::invalid_argument(fmt::format("{} chunks are not 1 to {} for each of {} ranks", chunk_count,
                                            most_per_rank, rank_count));
  }
  const std::size_t chunks_per_rank = chunk_count / rank_count;
  for (const Collective& each :
       {allgather(rank_count, chunks_per_rank), reduce_scatter(rank_count, chunks_per_rank),
        allreduce(rank_count, chunk_count)}) {
    if (each.name() != name) continue;
    if (each.chunk_count() == chunk_count) return each;
    throw std::invalid_argument(
        fmt::format("{} ranks cannot have {} chunks equally", rank_count, chunk_count));
  }
  throw std::invalid_argument(fmt::format("'{}' is not allreduce, reduce-scatter or allgather", name));
}

std::string_view Collective::name() const {
  if (moves_chunks()) return "exchange";
  if (edges_) return "neighbours";
  if (!has_owners()) return "allreduce";
  return contributors_ == Ranks::owner ? "allgather" : "reduce-scatter";
}

std::uint32_t Collective::send_slot(const Block& chunk) const {
  if (moves_chunks() || contributors_ == Ranks::all) return label(chunk.destination);
  return static_cast<std::uint32_t>(label(chunk.source) % chunks_per_rank_);
}

std::uint32_t Collective::receive_slot(const Block& chunk) const {
  if (moves_chunks() || receivers_ == Ranks::all) return label(chunk.source);
  if (edges_) return send_slot(chunk);
  return static_cast<std::uint32_t>(label(chunk.destination) % chunks_per_rank_);
}

}  // namespace cubefold
