#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Returns how many elements each chunk of collective_of() has. Each block of the vector is divided into `parts`
/// consecutive chunks: the first ones have one element more than the others if the number does not divide the block.
///
/// - allreduce: the vector is one block, and parts is Collective::chunk_count();
/// - reduce-scatter and allgather: each owner has a block, and parts is VectorMethod::channel_count.
///
/// Chunks without elements are possible, as where there are fewer elements than chunks. Costs O(chunks).
CUBEFOLD_API std::vector<std::size_t> chunk_counts(std::span<const std::size_t> block_counts,
                                                   std::size_t parts);

}  // namespace cubefold
