#pragma once

#include <cstddef>

#include "cubefold/embedding/node_sharing.hpp"

namespace cubefold {

/// The bytes of the memory that a group of ranks on a node shares for blocks that leave, and again for blocks that
/// arrive.
inline constexpr std::size_t most_node_bytes = std::size_t{8} << 20;

/// Returns the largest pieces of blocks that groups can exchange at a time, or 0 if there are too many ranks.
inline std::size_t most_piece_bytes(const NodeSharing& sharing) {
  return most_node_bytes / (sharing.largest_group() * sharing.rank_count());
}

}  // namespace cubefold
