#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cubefold::timing {

/// Identifies the test data of a block. Its bytes depend on source, destination, run and position, so that a wrong,
/// late, shifted or missing block is detected.
struct BlockName {
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t run;
};

void fill(std::span<std::byte> block, const BlockName& name);

/// Returns the index of the first byte that differs from what fill() writes, or nothing.
std::optional<std::size_t> first_wrong_byte(std::span<const std::byte> block, const BlockName& name);

}  // namespace cubefold::timing
