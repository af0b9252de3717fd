#include "cubefold/schedule/packing.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <numeric>
#include <vector>

namespace cubefold {
namespace {

std::vector<std::byte> counted(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

class Packing : public testing::TestWithParam<std::size_t> {};

TEST_P(Packing, gathers_the_blocks_in_the_order_of_the_slots) {
  const std::size_t size = GetParam();
  const auto memory = counted(16 * size);
  const std::vector<Slot> slots{3, 0, 15, 4};
  std::vector<std::byte> packet(4 * size + 1, std::byte{0xff});
  gather_blocks(memory.data(), size, slots, packet.data());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < size; ++k) EXPECT_EQ(packet[i * size + k], memory[slots[i] * size + k]);
  }
  EXPECT_EQ(packet.back(), std::byte{0xff});
}

TEST_P(Packing, scatters_to_the_same_slots_and_nowhere_else) {
  const std::size_t size = GetParam();
  const std::vector<Slot> slots{3, 0, 14, 4};
  const auto packet = counted(4 * size);
  std::vector<std::byte> memory(16 * size, std::byte{0xff});
  scatter_blocks(packet.data(), size, slots, memory.data());
  std::vector<std::byte> expected(16 * size, std::byte{0xff});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < size; ++k) expected[slots[i] * size + k] = packet[i * size + k];
  }
  EXPECT_EQ(memory, expected);
}

/// Address space that costs memory only where it is touched.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t size)
      : size_(size),
        memory_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() { munmap(memory_, size_); }
  std::byte* data() const { return static_cast<std::byte*>(memory_); }

 private:
  std::size_t size_;
  void* memory_;
};

TEST(PackingOfLargeMemory, reaches_slots_beyond_4_gib) {
  constexpr std::size_t size = 1 << 20;
  const std::vector<Slot> slots{5000};
  const SparseMemory memory((slots[0] + 1) * size);
  memory.data()[slots[0] * size] = std::byte{1};
  std::vector<std::byte> packet(size);
  gather_blocks(memory.data(), size, slots, packet.data());
  EXPECT_EQ(packet[0], std::byte{1});
  packet[0] = std::byte{2};
  scatter_blocks(packet.data(), size, slots, memory.data());
  EXPECT_EQ(memory.data()[slots[0] * size], std::byte{2});
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Packing, testing::Values(0, 1, 3, 4, 8, 12, 16, 32, 64, 100, 4096));

}  // namespace
}  // namespace cubefold
