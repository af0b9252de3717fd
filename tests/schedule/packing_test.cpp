#include "schedule/packing.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cubefold {
namespace {

std::vector<std::byte> counted(std::size_t size, std::size_t first) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((first + i) % 251);
  return bytes;
}

using Runs = std::vector<Run>;

/// Returns a program that sends one message with these runs.
LocalProgram program_of(Runs runs) {
  LocalMessage message{0, Rank{0}, 0, 0, static_cast<std::uint32_t>(runs.size()), 0};
  for (const Run& run : runs) message.block_count += run.count;
  return {16, 1, 16, {message}, {}, std::move(runs), {}};
}

/// Holds three areas of 16 blocks each. All blocks have different contents.
struct Areas {
  explicit Areas(std::size_t block_bytes)
      : send(counted(16 * block_bytes, 0)),
        receive(counted(16 * block_bytes, 80)),
        scratch(counted(16 * block_bytes, 160)),
        memory{send.data(), receive.data(), block_bytes} {}

  std::vector<std::byte>& of(Area area) {
    return area == Area::send ? send : area == Area::receive ? receive : scratch;
  }
  PieceMemory round(std::size_t piece_bytes, std::size_t number = 0) {
    return {memory, scratch.data(), piece_bytes, number};
  }

  std::vector<std::byte> send;
  std::vector<std::byte> receive;
  std::vector<std::byte> scratch;
  ExchangeMemory memory;
};

const Runs from_everywhere{
    {Area::send, 3, 1}, {Area::scratch, 14, 2}, {Area::receive, 0, 1}, {Area::send, 4, 3}};

/// Returns the bytes [first, first + size) of every block of the runs, in order.
std::vector<std::byte> pieces(Areas& areas, const Runs& runs, std::size_t first, std::size_t size) {
  std::vector<std::byte> result;
  for (const Run& run : runs) {
    for (Slot slot = run.first; slot < run.first + run.count; ++slot) {
      for (std::size_t k = first; k < first + size; ++k)
        result.push_back(areas.of(run.area)[slot * areas.memory.block_bytes + k]);
    }
  }
  return result;
}

class Packing : public testing::TestWithParam<std::size_t> {};

TEST_P(Packing, takes_the_blocks_of_all_runs_in_order) {
  Areas areas(GetParam());
  const auto program = program_of(from_everywhere);
  const auto expected = pieces(areas, from_everywhere, 0, GetParam());
  const auto memory = areas.round(GetParam());
  ASSERT_EQ(message_size(program, program.sends[0], memory), expected.size());
  std::vector<std::byte> packet(expected.size() + 1, std::byte{0xff});
  pack(program, program.sends[0], memory, packet.data());
  EXPECT_EQ(packet.back(), std::byte{0xff});
  packet.pop_back();
  EXPECT_EQ(packet, expected);
}

TEST_P(Packing, puts_them_into_the_same_places_and_nowhere_else) {
  const Runs runs{{Area::scratch, 3, 2}, {Area::receive, 0, 1}, {Area::scratch, 14, 2}};
  const auto program = program_of(runs);
  Areas areas(GetParam());
  Areas expected(GetParam());
  const auto packet = counted(5 * GetParam(), 7);
  std::size_t next = 0;
  for (const auto& run : runs) {
    for (std::size_t k = run.first * GetParam(); k < (run.first + run.count) * GetParam(); ++k)
      expected.of(run.area)[k] = packet[next++];
  }
  unpack(program, program.sends[0], packet.data(), areas.round(GetParam()));
  EXPECT_EQ(areas.scratch, expected.scratch);
  EXPECT_EQ(areas.receive, expected.receive);
  EXPECT_EQ(areas.send, expected.send);
}

TEST_P(Packing, takes_a_piece_of_every_block_a_round) {
  for (const std::size_t piece : {1UL, 3UL, 5UL, 16UL}) {
    Areas areas(GetParam());
    const auto program = program_of(from_everywhere);
    for (std::size_t round = 0; round * piece < GetParam(); ++round) {
      const std::size_t size = std::min(piece, GetParam() - round * piece);
      const auto expected = pieces(areas, from_everywhere, round * piece, size);
      const auto memory = areas.round(piece, round);
      ASSERT_EQ(message_size(program, program.sends[0], memory), expected.size());
      std::vector<std::byte> packet(expected.size());
      pack(program, program.sends[0], memory, packet.data());
      EXPECT_EQ(packet, expected) << piece << ' ' << round;
    }
  }
}

TEST(PackingByTable, takes_blocks_of_every_size_from_where_tables_say) {
  const std::vector<std::size_t> offsets{40, 0, 7, 20};
  const std::vector<std::size_t> sizes{5, 0, 9, 1};
  const auto send = counted(64, 0);
  const BlockTable table{offsets, sizes};
  const ExchangeMemory memory{send.data(), nullptr, 9, &table, nullptr};
  const auto program = program_of({{Area::send, 0, 4}});
  const auto packed_in = [&](std::size_t round) {
    const PieceMemory pieces(memory, nullptr, 4, round);
    std::vector<std::byte> packet(message_size(program, program.sends[0], pieces));
    pack(program, program.sends[0], pieces, packet.data());
    return packet;
  };
  EXPECT_EQ(packed_in(0), (std::vector<std::byte>{send[40], send[41], send[42], send[43], send[7], send[8],
                                                  send[9], send[10], send[20]}));
  EXPECT_EQ(packed_in(1), (std::vector<std::byte>{send[44], send[11], send[12], send[13], send[14]}));
  EXPECT_EQ(packed_in(2), std::vector<std::byte>{send[15]});
  EXPECT_EQ(packed_in(3), std::vector<std::byte>{});
}

TEST(Reduce, combines_each_piece_with_the_operand_in_its_place) {
  // The message has the slots 2, 3 and 9 of scratch; its operands are in the slots 5 and 6 of the send buffer and in
  // slot 1 of scratch.
  auto program =
      program_of({{Area::scratch, 2, 2}, {Area::scratch, 9, 1}, {Area::send, 5, 2}, {Area::scratch, 1, 1}});
  auto& message = program.sends[0];
  message.block_count = 3;
  message.run_count = 2;
  message.operand_run_count = 2;
  Areas areas(8);
  Areas expected(8);
  const auto add = [](std::span<const std::byte> operand, std::span<std::byte> arrived) {
    ASSERT_EQ(operand.size(), arrived.size());
    for (std::size_t k = 0; k < arrived.size(); ++k)
      arrived[k] = static_cast<std::byte>(static_cast<int>(arrived[k]) + static_cast<int>(operand[k]));
  };
  const Reduction reduction{1, add};
  areas.memory.reduction = &reduction;
  const auto add_block = [&](const std::vector<std::byte>& from, std::size_t operand, std::size_t arrived) {
    // The second round has the last 3 of the 8 bytes of each block.
    add(std::span(from).subspan(operand * 8 + 5, 3), std::span(expected.scratch).subspan(arrived * 8 + 5, 3));
  };
  add_block(expected.send, 5, 2);
  add_block(expected.send, 6, 3);
  add_block(expected.scratch, 1, 9);
  reduce(program, message, areas.round(5, 1));
  EXPECT_EQ(areas.scratch, expected.scratch);
  EXPECT_EQ(areas.send, expected.send);
  EXPECT_EQ(areas.receive, expected.receive);
}

/// Replaces each right byte by twice the left one minus itself.
void subtract(std::span<const std::byte> left, std::span<std::byte> right) {
  for (std::size_t k = 0; k < right.size(); ++k)
    right[k] = static_cast<std::byte>(2 * static_cast<int>(left[k]) - static_cast<int>(right[k]));
}

TEST(Reduce, takes_what_arrives_left_as_the_left_operand_and_leaves_the_right_one_alone) {
  auto program = program_of({{Area::scratch, 2, 2}, {Area::send, 5, 2}});
  LocalMessage& message = program.sends[0];
  message.run_count = 1;
  message.operand_run_count = 1;
  message.arrives_left = true;
  for (const std::size_t held_bytes : {2U, 4U, 100U}) {  // elements of two bytes
    Areas areas(8);
    Areas expected(8);
    std::vector<std::byte> held(held_bytes);
    const Reduction reduction{2, subtract, held};
    areas.memory.reduction = &reduction;
    std::vector<std::byte> result(expected.send.begin() + 40, expected.send.begin() + 56);
    subtract(std::span(expected.scratch).subspan(16, 16), result);
    std::ranges::copy(result, expected.scratch.begin() + 16);
    reduce(program, message, areas.round(8));
    EXPECT_EQ(areas.scratch, expected.scratch) << held_bytes;
    EXPECT_EQ(areas.send, expected.send);
    EXPECT_EQ(areas.receive, expected.receive);
  }
  Areas areas(8);
  std::vector<std::byte> too_few(1);
  const Reduction without_memory{2, subtract, too_few};
  areas.memory.reduction = &without_memory;
  EXPECT_THROW(reduce(program, message, areas.round(8)), std::invalid_argument);
}

TEST(IsPacked, says_that_bytes_are_not_in_a_row) {
  const auto needs_packing = [](Runs runs, bool joins) {
    return is_packed(program_of(std::move(runs)).sends[0], joins);
  };
  EXPECT_FALSE(needs_packing({{Area::send, 3, 1}}, false));
  EXPECT_FALSE(needs_packing({{Area::send, 3, 4}}, true));
  EXPECT_TRUE(needs_packing({{Area::send, 3, 4}}, false));
  EXPECT_TRUE(needs_packing({{Area::send, 3, 1}, {Area::send, 5, 1}}, true));
}

TEST(CopyToPlaces, copies_only_the_blocks_that_have_not_arrived_in_their_places) {
  auto program = program_of({{Area::scratch, 4, 1}, {Area::receive, 9, 2}, {Area::scratch, 7, 2}});
  program.sends[0].arrives_in = 4;
  EXPECT_FALSE(is_packed(program.sends[0], true));
  EXPECT_TRUE(is_packed(program.sends[0], false));
  EXPECT_EQ(copied_blocks(program).packed, 2U);
  EXPECT_EQ(copied_blocks(program, false).packed, 5U);
  Areas areas(8);
  Areas expected(8);
  std::copy_n(expected.scratch.begin() + 40, 16, expected.receive.begin() + 72);
  const auto memory = areas.round(8);
  ASSERT_EQ(message_begin(program, program.sends[0], memory), areas.scratch.data() + 32);
  EXPECT_EQ(copy_to_places(program, program.sends[0], memory), 16U);
  EXPECT_EQ(areas.scratch, expected.scratch);
  EXPECT_EQ(areas.receive, expected.receive);
  EXPECT_EQ(areas.send, expected.send);
}

TEST(MessageBegin, is_its_first_block_or_the_piece_of_it) {
  Areas areas(8);
  const auto program = program_of({{Area::scratch, 5, 2}});
  EXPECT_EQ(message_begin(program, program.sends[0], areas.round(8)), areas.scratch.data() + 40);
  EXPECT_EQ(message_begin(program, program.sends[0], areas.round(3, 2)), areas.scratch.data() + 46);
}

/// Reserves address space. Pages take memory only after they are touched.
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
  constexpr Slot slot = 5000;
  const auto program = program_of({{Area::scratch, slot, 1}});
  const SparseMemory scratch((std::size_t{slot} + 1) * size);
  const ExchangeMemory memory{nullptr, nullptr, size};
  const PieceMemory whole(memory, scratch.data(), size, 0);
  scratch.data()[slot * size] = std::byte{1};
  std::vector<std::byte> packet(size);
  pack(program, program.sends[0], whole, packet.data());
  EXPECT_EQ(packet[0], std::byte{1});
  packet[0] = std::byte{2};
  unpack(program, program.sends[0], packet.data(), whole);
  EXPECT_EQ(scratch.data()[slot * size], std::byte{2});
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Packing, testing::Values(0, 1, 3, 4, 8, 12, 16, 32, 64, 100, 4096));

}  // namespace
}  // namespace cubefold
