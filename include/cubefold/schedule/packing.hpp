#pragma once

#include <cstddef>

#include "cubefold/export.h"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold {

/// Copies the blocks in the message's slots, in order, to the packet: block_bytes * slots.size() bytes.
CUBEFOLD_API void gather_blocks(const std::byte* memory, std::size_t block_bytes, const LocalMessage& message,
                                std::byte* packet);

/// Copies the packet's blocks to the message's slots; inverse of gather_blocks().
CUBEFOLD_API void scatter_blocks(const std::byte* packet, std::size_t block_bytes,
                                 const LocalMessage& message, std::byte* memory);

}  // namespace cubefold
