#include "cubefold/schedule/packing.hpp"

#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(BlockSizes, Packing, testing::Values(0, 1, 3, 4, 8, 12, 16, 32, 64, 100, 4096));

}  // namespace
}  // namespace cubefold
