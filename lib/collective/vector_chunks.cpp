#include "vector_chunks.hpp"

namespace cubefold {

std::vector<std::size_t> chunk_counts(std::span<const std::size_t> block_counts, std::size_t parts) {
  std::vector<std::size_t> counts;
  counts.reserve(block_counts.size() * parts);
  for (const std::size_t count : block_counts) {
    for (std::size_t part = 0; part < parts; ++part)
      counts.push_back(count / parts + (part < count % parts ? 1 : 0));
  }
  return counts;
}

}  // namespace cubefold
