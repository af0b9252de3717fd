#include "cubefold/schedule/packing.hpp"

#include <cstring>

namespace cubefold {

namespace {

/// A block size that the compiler knows, so that small blocks move in registers instead of by a call each.
template <std::size_t size>
struct Fixed {
  constexpr operator std::size_t() const { return size; }  // NOLINT(google-explicit-constructor)
};

template <typename Size>
void gather(const std::byte* memory, Size block_bytes, std::span<const Slot> slots, std::byte* packet) {
  for (const Slot slot : slots) {
    std::memcpy(packet, memory + slot * std::size_t{block_bytes}, block_bytes);
    packet += std::size_t{block_bytes};
  }
}

template <typename Size>
void scatter(const std::byte* packet, Size block_bytes, std::span<const Slot> slots, std::byte* memory) {
  for (const Slot slot : slots) {
    std::memcpy(memory + slot * std::size_t{block_bytes}, packet, block_bytes);
    packet += std::size_t{block_bytes};
  }
}

template <typename Copy>
void with_size(std::size_t block_bytes, Copy copy) {
  switch (block_bytes) {
    case 0:  // the pointers may be null, which memcpy must not see
      return;
    case 4:
      return copy(Fixed<4>{});
    case 8:
      return copy(Fixed<8>{});
    case 16:
      return copy(Fixed<16>{});
    case 32:
      return copy(Fixed<32>{});
    case 64:
      return copy(Fixed<64>{});
    default:
      return copy(block_bytes);
  }
}

}  // namespace

void gather_blocks(const std::byte* memory, std::size_t block_bytes, std::span<const Slot> slots,
                   std::byte* packet) {
  with_size(block_bytes, [&](auto size) { gather(memory, size, slots, packet); });
}

void scatter_blocks(const std::byte* packet, std::size_t block_bytes, std::span<const Slot> slots,
                    std::byte* memory) {
  with_size(block_bytes, [&](auto size) { scatter(packet, size, slots, memory); });
}

}  // namespace cubefold
