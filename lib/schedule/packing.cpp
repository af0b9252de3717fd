#include "cubefold/schedule/packing.hpp"

#include <cstring>

namespace cubefold {

namespace {

/// A size that the compiler knows, so that short runs move in registers instead of by a call each.
template <std::size_t size>
struct Fixed {
  constexpr operator std::size_t() const { return size; }  // NOLINT(google-explicit-constructor)
};

/// Calls copy(first byte of the run, size) for every run of slots.
template <typename Size, typename Copy>
void for_each_run(std::size_t block_bytes, const LocalMessage& message, Size run_bytes, Copy copy) {
  for (std::size_t i = 0; i < message.slots.size(); i += message.run_length) {
    copy(message.slots[i] * block_bytes, run_bytes);
  }
}

template <typename Copy>
void copy_runs(std::size_t block_bytes, const LocalMessage& message, Copy copy) {
  const std::size_t run_bytes = block_bytes * message.run_length;
  switch (run_bytes) {
    case 0:  // the pointers may be null, which memcpy must not see
      return;
    case 4:
      return for_each_run(block_bytes, message, Fixed<4>{}, copy);
    case 8:
      return for_each_run(block_bytes, message, Fixed<8>{}, copy);
    case 16:
      return for_each_run(block_bytes, message, Fixed<16>{}, copy);
    case 32:
      return for_each_run(block_bytes, message, Fixed<32>{}, copy);
    case 64:
      return for_each_run(block_bytes, message, Fixed<64>{}, copy);
    default:
      return for_each_run(block_bytes, message, run_bytes, copy);
  }
}

}  // namespace

void gather_blocks(const std::byte* memory, std::size_t block_bytes, const LocalMessage& message,
                   std::byte* packet) {
  copy_runs(block_bytes, message, [&](std::size_t place, auto size) {
    std::memcpy(packet, memory + place, size);
    packet += size;
  });
}

void scatter_blocks(const std::byte* packet, std::size_t block_bytes, const LocalMessage& message,
                    std::byte* memory) {
  copy_runs(block_bytes, message, [&](std::size_t place, auto size) {
    std::memcpy(memory + place, packet, size);
    packet += size;
  });
}

}  // namespace cubefold
