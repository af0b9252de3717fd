#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cubefold::timing {

/// What the test data of a measurement look like: bytes that depend on source, destination, run and place, so
/// that no wrong, late, shifted or missing block goes unnoticed.
struct BlockName {
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t run;
};

void fill(std::span<std::byte> block, const BlockName& name);

/// Index of the first byte that is not what fill() writes, or nothing.
std::optional<std::size_t> first_wrong_byte(std::span<const std::byte> block, const BlockName& name);

}  // namespace cubefold::timing
