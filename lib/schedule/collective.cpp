#include "collective.hpp"

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

std::uint32_t Collective::send_slot(const Block& chunk) const {
  if (moves_chunks() || contributors_ == Ranks::all) return label(chunk.destination);
  return static_cast<std::uint32_t>(label(chunk.source) % chunks_per_rank_);
}

std::uint32_t Collective::receive_slot(const Block& chunk) const {
  if (moves_chunks() || receivers_ == Ranks::all) return label(chunk.source);
  return static_cast<std::uint32_t>(label(chunk.destination) % chunks_per_rank_);
}

}  // namespace cubefold
