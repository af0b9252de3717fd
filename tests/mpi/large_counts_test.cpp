#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "mpi/alltoall_run.hpp"
#include "support/exchange_world.hpp"
#include "support/message_of.hpp"
#include "support/spread_type.hpp"
#include "support/sweep.hpp"
#include "support/unequal_exchange.hpp"

namespace cubefold::mpi {
namespace {

/// Arguments of one side of MPI_Alltoallv_c or MPI_Alltoallw_c.
struct LargeSide {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  std::vector<MPI_Datatype> types;

  void add(MPI_Count count, MPI_Aint displacement, MPI_Datatype type) {
    counts.push_back(count);
    displacements.push_back(displacement);
    types.push_back(type);
  }
};

Sides unequal_sides(const void* send, const LargeSide& sent, void* receive, const LargeSide& received) {
  return {send,    sent.counts,     sent.displacements,     sent.types.front(),
          receive, received.counts, received.displacements, received.types.front()};
}

Sides typed_sides(const void* send, const LargeSide& sent, void* receive, const LargeSide& received) {
  return {send,    sent.counts,     sent.displacements,     std::span(sent.types),
          receive, received.counts, received.displacements, std::span(received.types)};
}

/// Address space without memory: a page is there from its first use on.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes)
      : bytes_(bytes),
        begin_(static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() { munmap(begin_, bytes_); }

  std::byte* at(std::size_t byte) const { return begin_ + byte; }

 private:
  std::size_t bytes_;
  std::byte* begin_;
};

constexpr std::size_t gib = std::size_t{1} << 30;

/// One byte in an extent of 1 GiB.
class ByteInGib {
 public:
  ByteInGib() {
    MPI_Type_create_resized(MPI_BYTE, 0, static_cast<MPI_Aint>(gib), &type_);
    MPI_Type_commit(&type_);
  }
  ByteInGib(const ByteInGib&) = delete;
  ByteInGib& operator=(const ByteInGib&) = delete;
  ~ByteInGib() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class LargeCountsTest : public testing::TestWithParam<const char*>, protected ExchangeWorld {
 protected:
  LargeCountsTest() : ExchangeWorld(grids_of_world().back(), "identity") {}

  AlltoallSetup setup() const {
    AlltoallSetup setup = setup_for(parse_candidate(GetParam()));
    setup.largest_message_bytes = 64;
    return setup;
  }
  std::shared_ptr<Exchange> exchange(CallKind kind) {
    return unequal_exchange(comm, CommContext::on(comm.virtual_comm()), {setup()}, nullptr, kind);
  }
  static int count(int from, int to) { return (17 * from + 5 * to) % 70; }

  /// Returns the side of count(from, to) elements for each other rank, at the places of blocks of 70 elements in
  /// descending order, whose unit is so many bytes, or an element.
  LargeSide side(bool is_sent, MPI_Datatype type, MPI_Aint unit) const {
    LargeSide side;
    for (int other = 0; other < size; ++other) {
      side.add(is_sent ? count(rank, other) : count(other, rank), MPI_Aint{70} * (size - 1 - other) * unit,
               type);
    }
    return side;
  }

  /// Calls run(send, receive) for blocks of count() ints with a gap behind each, and expects what has to arrive.
  template <typename Run>
  void expect_exchanged(Run run) const {
    std::vector<int> send(static_cast<std::size_t>(140 * size), -2);
    std::vector<int> receive = send;
    std::vector<int> wanted = send;
    for (int other = 0; other < size; ++other) {
      const auto at = [&](int k) { return static_cast<std::size_t>(140 * (size - 1 - other) + 2 * k); };
      for (int k = 0; k < count(rank, other); ++k) send[at(k)] = number(rank, other, k);
      for (int k = 0; k < count(other, rank); ++k) wanted[at(k)] = number(other, rank, k);
    }
    run(send, receive);
    EXPECT_EQ(receive, wanted);
  }

  const SpreadType spread{1};
};

TEST_P(LargeCountsTest, of_equal_blocks_are_cut_into_messages_of_64_bytes) {
  const auto plan = AlltoallPlan::make(comm, setup());
  EXPECT_LE(RunSizes(*plan, {nullptr, nullptr, 4000}).piece_bytes, size == 1 ? 4000U : 64U);
  for (const MPI_Count numbers : {1, 16, 17, 100}) {
    const auto send = sent(static_cast<int>(numbers));
    std::vector<int> receive(send.size(), -1);
    plan->run({send.data(), numbers, MPI_INT, receive.data(), numbers, MPI_INT});
    EXPECT_EQ(receive, expected(static_cast<int>(numbers)));
    receive = send;
    plan->run({MPI_IN_PLACE, MPI_Count{0}, MPI_INT, receive.data(), numbers, MPI_INT});
    EXPECT_EQ(receive, expected(static_cast<int>(numbers)));
    const auto request = plan->start({send.data(), numbers, MPI_INT, receive.data(), numbers, MPI_INT});
    request->wait();
    EXPECT_EQ(receive, expected(static_cast<int>(numbers)));
  }
}

TEST_P(LargeCountsTest, of_unequal_blocks_with_gaps_are_cut_and_packed_in_parts_of_64_bytes) {
  const LargeSide sent = side(true, spread.get(), 1);
  const LargeSide received = side(false, spread.get(), 1);
  const auto unequal = exchange(CallKind::unequal);
  for (int call = 0; call < 3; ++call) {
    expect_exchanged([&](auto& send, auto& receive) {
      unequal->run(unequal_sides(send.data(), sent, receive.data(), received));
    });
    expect_exchanged([&](auto& send, auto& receive) {
      auto of_call = sent;
      const auto request = unequal->prepare(unequal_sides(send.data(), of_call, receive.data(), received));
      std::ranges::fill(of_call.counts, -1);
      unequal->start(*request);
      request->wait();
    });
  }
}

TEST_P(LargeCountsTest, of_blocks_of_several_datatypes_are_cut_and_packed_in_parts_of_64_bytes) {
  const LargeSide sent = side(true, spread.get(), 8);
  const LargeSide received = side(false, spread.get(), 8);
  const auto typed = exchange(CallKind::typed);
  for (int call = 0; call < 4; ++call) {
    expect_exchanged([&](auto& send, auto& receive) {
      typed->run(typed_sides(send.data(), sent, receive.data(), received));
    });
    expect_exchanged([&](auto& send, auto& receive) {
      const auto request = typed->prepare(typed_sides(send.data(), sent, receive.data(), received));
      for (int start = 0; start < 2; ++start) {
        typed->start(*request);
        request->wait();
      }
    });
  }
}

// The elements of a block, and the blocks of a displacement in bytes, are far beyond 2^31 bytes from the buffer.
TEST_P(LargeCountsTest, of_bytes_that_are_a_gib_apart_arrive) {
  if (size > 4) GTEST_SKIP() << "4 processes have all kinds of blocks";
  const ByteInGib type;
  constexpr std::size_t per_block = 3;
  const auto p = static_cast<std::size_t>(size);
  const SparseMemory send(p * per_block * gib);
  const SparseMemory receive(p * per_block * gib);
  LargeSide in_elements;
  LargeSide in_bytes;
  for (int other = 0; other < size; ++other) {
    in_elements.add(per_block, static_cast<MPI_Aint>(per_block) * other, type.get());
    in_bytes.add(per_block, static_cast<MPI_Aint>(per_block * gib) * other, type.get());
  }
  const auto value = [](int from, int to, std::size_t k) {
    return static_cast<std::byte>(1 + 50 * from + 10 * to + static_cast<int>(k));
  };
  const auto place = [](int block, std::size_t k) {
    return (static_cast<std::size_t>(block) * per_block + k) * gib;
  };
  const auto expect_arrive = [&](auto run) {
    for (int other = 0; other < size; ++other) {
      for (std::size_t k = 0; k < per_block; ++k) {
        *send.at(place(other, k)) = value(rank, other, k);
        *receive.at(place(other, k)) = std::byte{0};
      }
    }
    run();
    for (int other = 0; other < size; ++other)
      for (std::size_t k = 0; k < per_block; ++k)
        EXPECT_EQ(*receive.at(place(other, k)), value(other, rank, k));
  };
  const auto plan = AlltoallPlan::make(comm, setup());
  const auto unequal = exchange(CallKind::unequal);
  const auto typed = exchange(CallKind::typed);
  const auto blocks = static_cast<MPI_Count>(per_block);
  expect_arrive([&] { plan->run({send.at(0), blocks, type.get(), receive.at(0), blocks, type.get()}); });
  expect_arrive([&] { unequal->run(unequal_sides(send.at(0), in_elements, receive.at(0), in_elements)); });
  expect_arrive([&] { typed->run(typed_sides(send.at(0), in_bytes, receive.at(0), in_bytes)); });
  const auto wait_for = [](Exchange& exchange, const Sides& sides) {
    const auto request = exchange.prepare(sides);
    exchange.start(*request);
    request->wait();
  };
  expect_arrive([&] {
    plan->start({send.at(0), blocks, type.get(), receive.at(0), blocks, type.get()})->wait();
  });
  expect_arrive(
      [&] { wait_for(*unequal, unequal_sides(send.at(0), in_elements, receive.at(0), in_elements)); });
  expect_arrive([&] { wait_for(*typed, typed_sides(send.at(0), in_bytes, receive.at(0), in_bytes)); });
}

INSTANTIATE_TEST_SUITE_P(Candidates, LargeCountsTest,
                         testing::Values("MPI's own all-to-all", "linear at once", "direct"));

TEST(LargeCounts, above_2_63_bytes_are_refused) {
  const auto complaint = [](MPI_Count count) {
    Sides sides(nullptr, count, MPI_INT, nullptr, count, MPI_INT);
    return message_of([&] { sides.require_valid(1, 0); });
  };
  EXPECT_EQ(
      complaint(MPI_Count{1} << 61),
      "a block of 2305843009213693952 elements of 4 bytes is above the limit of 9223372036854775807 bytes");
  EXPECT_EQ(complaint((MPI_Count{1} << 61) - 1), "the buffer is a null pointer");
  EXPECT_EQ(complaint(-5), "count -5 is negative");
}

TEST(BlockType, has_as_many_elements_at_their_places_as_are_asked_for_whatever_a_call_may_count) {
  const SpreadType spread(1);
  for (int count = 1; count <= 10; ++count) {
    for (const int most : {1, 3, 4, 100}) {
      const auto type = OwnedType::block(spread.get(), count, 16, most);
      std::vector<int> from(30);
      for (int i = 0; i < 30; ++i) from[static_cast<std::size_t>(i)] = i;
      std::vector<int> packed(10, -1);
      int position = 0;
      ASSERT_EQ(MPI_Pack(from.data(), 1, type.get(), packed.data(), 40, &position, MPI_COMM_SELF),
                MPI_SUCCESS);
      EXPECT_EQ(position, 4 * count);
      for (int i = 0; i < 10; ++i) EXPECT_EQ(packed[static_cast<std::size_t>(i)], i < count ? 4 + 2 * i : -1);
    }
  }
}

// The type of a block of so many elements is never used, because its data would need as much memory.
TEST(BlockType, has_more_elements_than_an_int_counts) {
  const auto type = OwnedType::block(MPI_INT, (MPI_Count{1} << 32) + 7, MPI_Aint{1} << 33);
  MPI_Count size = 0;
  MPI_Type_size_x(type.get(), &size);
  EXPECT_EQ(size, 4 * ((MPI_Count{1} << 32) + 7));
}

// The whole test takes memory for 2 x (2^31 + 5) bytes.
TEST(LargeCounts, of_a_single_block_of_2_31_and_5_bytes_arrive) {
  if (!sweeps_take_all() || sanitized) GTEST_SKIP() << "./dev test --all runs it";
  if (world_size() != 2) GTEST_SKIP() << "written for 2 processes";
  constexpr std::size_t bytes = (std::size_t{1} << 31) + 5;
  const VirtualComm comm(MPI_COMM_WORLD, "ring:2", "identity");
  const auto exchange = unequal_exchange(comm, CommContext::on(comm.virtual_comm()),
                                         {setup_for(parse_candidate("MPI's own all-to-all"))});
  const bool sends = world_rank() == 0;
  const auto byte = [](std::size_t i) { return static_cast<std::byte>(i % 251); };
  std::vector<std::byte> memory(bytes);
  if (sends)
    for (std::size_t i = 0; i < bytes; ++i) memory[i] = byte(i);
  LargeSide sent;
  LargeSide received;
  for (int other = 0; other < 2; ++other) {
    sent.add(sends && other == 1 ? MPI_Count{bytes} : 0, 0, MPI_BYTE);
    received.add(!sends && other == 0 ? MPI_Count{bytes} : 0, 0, MPI_BYTE);
  }
  exchange->run(unequal_sides(memory.data(), sent, memory.data(), received));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bytes; ++i) wrong += memory[i] == byte(i) ? 0U : 1U;
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace cubefold::mpi
