#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

constexpr Block block(std::uint32_t source, std::uint32_t destination) {
  return {Rank{source}, Rank{destination}};
}

inline Message message(std::uint32_t from, std::uint32_t to, std::vector<Block> blocks) {
  return {Rank{from}, Rank{to}, std::move(blocks)};
}

/// Returns a message that carries the block of its sender for its receiver.
inline Message message(std::uint32_t from, std::uint32_t to) {
  return message(from, to, {block(from, to)});
}

}  // namespace cubefold
