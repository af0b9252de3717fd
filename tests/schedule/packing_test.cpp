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
  const LocalMessage message{Rank{0}, {3, 0, 15, 4}};
  std::vector<std::byte> packet(4 * size + 1, std::byte{0xff});
  gather_blocks(memory.data(), size, message, packet.data());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < size; ++k)
      EXPECT_EQ(packet[i * size + k], memory[message.slots[i] * size + k]);
  }
  EXPECT_EQ(packet.back(), std::byte{0xff});
}

TEST_P(Packing, scatters_to_the_same_slots_and_nowhere_else) {
  const std::size_t size = GetParam();
  const LocalMessage message{Rank{0}, {3, 0, 14, 4}};
  const auto packet = counted(4 * size);
  std::vector<std::byte> memory(16 * size, std::byte{0xff});
  scatter_blocks(packet.data(), size, message, memory.data());
  std::vector<std::byte> expected(16 * size, std::byte{0xff});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < size; ++k) expected[message.slots[i] * size + k] = packet[i * size + k];
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
  const LocalMessage message{Rank{0}, {5000}};
  const SparseMemory memory((message.slots[0] + 1) * size);
  memory.data()[message.slots[0] * size] = std::byte{1};
  std::vector<std::byte> packet(size);
  gather_blocks(memory.data(), size, message, packet.data());
  EXPECT_EQ(packet[0], std::byte{1});
  packet[0] = std::byte{2};
  scatter_blocks(packet.data(), size, message, memory.data());
  EXPECT_EQ(memory.data()[message.slots[0] * size], std::byte{2});
}

TEST_P(Packing, copies_runs_of_consecutive_slots_as_if_one_by_one) {
  const std::size_t size = GetParam();
  const auto memory = counted(16 * size);
  const std::vector<Slot> slots{4, 5, 10, 11, 0, 1};
  std::vector<std::byte> one_by_one(6 * size);
  std::vector<std::byte> in_runs(6 * size);
  gather_blocks(memory.data(), size, {Rank{0}, slots, 1}, one_by_one.data());
  gather_blocks(memory.data(), size, {Rank{0}, slots, 2}, in_runs.data());
  EXPECT_EQ(in_runs, one_by_one);
  std::vector<std::byte> scattered(16 * size);
  scatter_blocks(in_runs.data(), size, {Rank{0}, slots, 2}, scattered.data());
  for (const Slot slot : slots) {
    for (std::size_t k = 0; k < size; ++k) EXPECT_EQ(scattered[slot * size + k], memory[slot * size + k]);
  }
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Packing, testing::Values(0, 1, 3, 4, 8, 12, 16, 32, 64, 100, 4096));

}  // namespace
}  // namespace cubefold
