#include "cubefold/mpi/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "cubefold/exchange/method.hpp"
#include "cubefold/schedule/delivery.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr Block block(std::uint32_t source, std::uint32_t destination) {
  return {Rank{source}, Rank{destination}};
}

/// In step k every rank sends one block to the rank k above it: another schedule than any builder makes.
Schedule shifted(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {}};
  for (std::uint32_t k = 1; k < rank_count; ++k) {
    Step& step = schedule.steps.emplace_back();
    for (std::uint32_t r = 0; r < rank_count; ++r) {
      const std::uint32_t to = (r + k) % rank_count;
      step.push_back({Rank{r}, Rank{to}, {block(r, to)}});
    }
  }
  return schedule;
}

/// All blocks at once, each in a message of its own, and a step in which nobody has anything to do.
Schedule flood(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {{}, {}}};
  for (const Step& step : shifted(rank_count).steps) {
    schedule.steps[1].insert(schedule.steps[1].end(), step.begin(), step.end());
  }
  return schedule;
}

std::uint32_t rank_count() {
  return static_cast<std::uint32_t>(world_size());
}

Rank own_rank() {
  return Rank{static_cast<std::uint32_t>(world_rank())};
}

/// The k-th byte of a block; unlike in blocks, ranks and places that a mistake would take for one another.
std::byte byte_of(const Block& b, std::size_t k) {
  return static_cast<std::byte>(1 +
                                (label(b.source) * 37 + label(b.destination) * 101 + k * 7 + k / 251) % 255);
}

/// The blocks with which this process begins, or those with which it ends.
std::vector<std::byte> sent_blocks(std::size_t block_bytes) {
  std::vector<std::byte> memory;
  for (std::uint32_t j = 0; j < rank_count(); ++j) {
    for (std::size_t k = 0; k < block_bytes; ++k) memory.push_back(byte_of({own_rank(), Rank{j}}, k));
  }
  return memory;
}

std::vector<std::byte> blocks_to_receive(std::size_t block_bytes) {
  std::vector<std::byte> memory;
  for (std::uint32_t i = 0; i < rank_count(); ++i) {
    for (std::size_t k = 0; k < block_bytes; ++k) memory.push_back(byte_of({Rank{i}, own_rank()}, k));
  }
  return memory;
}

void expect_run(Executor& executor, std::size_t block_bytes, const std::string& what) {
  const auto send = sent_blocks(block_bytes);
  std::vector<std::byte> receive(send.size());
  executor.run({send.data(), receive.data(), block_bytes}, own_rank(), MPI_COMM_WORLD);
  EXPECT_EQ(receive, blocks_to_receive(block_bytes)) << what << ", blocks of " << block_bytes;
  EXPECT_EQ(send, sent_blocks(block_bytes)) << what << ": the send buffer has changed";
}

Executor executor_of(const Schedule& schedule, const RunRules& rules) {
  return {local_program(part_of(schedule, own_rank()), own_rank()), rules};
}

/// Rules that differ in all that they can.
std::vector<RunRules> different_rules() {
  RunRules pieces;
  pieces.piece_bytes = 5;
  RunRules by_clock;
  by_clock.pacing = Pacing::clock;
  by_clock.times = {{{2, 1}, {1, 4, 2, Waits::first}, {1000, 2, 1, Waits::each}}, 3e-6, 2e-6, 1e-10};
  RunRules clock_and_pieces = by_clock;
  clock_and_pieces.piece_bytes = 300;
  RunRules tight;
  tight.bytes_in_flight = 1;
  tight.steps_behind = 1;
  return {RunRules{}, pieces, by_clock, clock_and_pieces, tight};
}

TEST(Executor, runs_every_method_on_every_grid_byte_by_byte) {
  for (const auto& name : grids_of_world()) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : exchange_methods(placement.grid())) {
      const Schedule part = exchange_part(method, placement, {}, own_rank());
      for (const auto& rules : different_rules()) {
        Executor executor(local_program(part, own_rank()), rules);
        for (const std::size_t block_bytes : {0UL, 1UL, 7UL, 24UL})
          expect_run(executor, block_bytes, name + ' ' + to_string(method));
      }
    }
  }
}

TEST(Executor, runs_blocks_that_no_buffer_of_mpi_holds) {
  const Placement placement(parse_grid(ring_of_world()), parse_placement("identity"));
  for (const auto& method : exchange_methods(placement.grid())) {
    RunRules rules;
    for (const std::size_t piece_bytes : {0UL, 30000UL}) {
      rules.piece_bytes = piece_bytes;
      Executor executor(local_program(exchange_part(method, placement, {}, own_rank()), own_rank()), rules);
      expect_run(executor, 70001, to_string(method));
    }
  }
}

TEST(Executor, runs_schedules_that_no_builder_makes) {
  for (const Schedule& schedule : {shifted(rank_count()), flood(rank_count())}) {
    ASSERT_EQ(first_delivery_fault(schedule), std::nullopt);
    for (const auto& rules : different_rules()) {
      Executor executor = executor_of(schedule, rules);
      for (const std::size_t block_bytes : {0UL, 1UL, 8UL, 8000UL})
        expect_run(executor, block_bytes, "shifted or flood");
    }
  }
}

TEST(Executor, runs_again_with_larger_blocks_and_smaller_ones) {
  Executor executor = executor_of(shifted(rank_count()), {});
  for (const std::size_t block_bytes : {8UL, 4000UL, 1UL, 0UL, 4000UL})
    expect_run(executor, block_bytes, "again");
}

// Packets of call-backs are packed where buffers need no copy, and so take more scratch at the same size.
TEST(Executor, runs_call_backs_behind_buffers_with_blocks_of_the_same_size) {
  constexpr std::size_t block_bytes = 40'000;
  Executor executor = executor_of(shifted(rank_count()), {});
  std::vector<std::byte> receive(rank_count() * block_bytes);
  const auto send = sent_blocks(block_bytes);
  PacketCalls calls;
  calls.produce = [&](Rank to, std::size_t offset, std::span<std::byte> packet) {
    std::copy_n(send.begin() + static_cast<std::ptrdiff_t>(label(to) * block_bytes + offset), packet.size(),
                packet.begin());
  };
  calls.consume = [&](Rank from, std::size_t offset, std::span<const std::byte> packet) {
    std::copy(packet.begin(), packet.end(),
              receive.begin() + static_cast<std::ptrdiff_t>(label(from) * block_bytes + offset));
  };
  ExchangeMemory called{nullptr, nullptr, block_bytes};
  called.calls = &calls;
  if (rank_count() > 1) {
    ASSERT_GT(executor.scratch_bytes(called), executor.scratch_bytes(block_bytes));
  }
  expect_run(executor, block_bytes, "buffers");
  executor.run(called, own_rank(), MPI_COMM_WORLD);
  EXPECT_EQ(receive, blocks_to_receive(block_bytes));
}

/// Blocks of every size, that from i to j having (i + 2 j) mod 5 times `unit` bytes, in slots of a length that holds
/// any.
TEST(Executor, runs_blocks_of_different_sizes) {
  constexpr std::size_t unit = 3;
  constexpr std::size_t room = 4 * unit + 2;
  const auto size_of = [](const Block& b) { return (label(b.source) + 2 * label(b.destination)) % 5 * unit; };
  std::vector<std::size_t> offsets, send_sizes, receive_sizes;
  std::vector<std::byte> send(room * rank_count());
  std::vector<std::byte> expected(room * rank_count(), std::byte{0});
  for (std::uint32_t j = 0; j < rank_count(); ++j) {
    offsets.push_back(room * j);
    send_sizes.push_back(size_of({own_rank(), Rank{j}}));
    receive_sizes.push_back(size_of({Rank{j}, own_rank()}));
    for (std::size_t k = 0; k < send_sizes[j]; ++k) send[offsets[j] + k] = byte_of({own_rank(), Rank{j}}, k);
    for (std::size_t k = 0; k < receive_sizes[j]; ++k)
      expected[offsets[j] + k] = byte_of({Rank{j}, own_rank()}, k);
  }
  const BlockTable send_table{offsets, send_sizes};
  const BlockTable receive_table{offsets, receive_sizes};
  const Placement placement(parse_grid(ring_of_world()), parse_placement("identity"));
  for (const auto& rules : different_rules()) {
    const auto part = exchange_part({ExchangeAlgorithm::direct, {}}, placement, {}, own_rank());
    Executor executor(local_program(part, own_rank()), rules);
    std::vector<std::byte> receive(expected.size());
    executor.run({send.data(), receive.data(), 4 * unit, &send_table, &receive_table}, own_rank(),
                 MPI_COMM_WORLD);
    EXPECT_EQ(receive, expected);
  }
}

/// Every process comes in turn, when the one before it has computed for a while; all others are at work meanwhile.
TEST(Executor, waits_for_a_process_that_comes_late) {
  const Placement placement(parse_grid(ring_of_world()), parse_placement("identity"));
  const auto part = exchange_part({ExchangeAlgorithm::direct, {}}, placement, {}, own_rank());
  for (const auto& rules : different_rules()) {
    Executor executor(local_program(part, own_rank()), rules);
    for (int late = 0; late < world_size(); late += 1 + world_size() / 3) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (world_rank() == late) {
        double sum = 0;
        for (int i = 0; i < 300000; ++i) sum += std::sqrt(i);
        ASSERT_GT(sum, 0);
      }
      expect_run(executor, 7, "one process is late");
    }
  }
}

TEST(Executor, says_how_much_memory_it_takes_besides_the_callers) {
  const auto part_bytes = [](const char* text, std::size_t piece_bytes, std::size_t block_bytes) {
    const Placement placement(parse_grid("ring:4"), parse_placement("identity"));
    RunRules rules;
    rules.piece_bytes = piece_bytes;
    return Executor(
               local_program(exchange_part(parse_exchange_method(text), placement, {}, Rank{0}), Rank{0}),
               rules)
        .scratch_bytes(block_bytes);
  };
  EXPECT_EQ(part_bytes("direct", 0, 1000), 0U);  // every block goes from where it is to where it belongs
  EXPECT_GT(part_bytes("cc-cube", 0, 1000), part_bytes("cc-cube", 10, 1000));
  EXPECT_EQ(part_bytes("cc-cube", 0, 2000), 2 * part_bytes("cc-cube", 0, 1000));
}

TEST(Executor, refuses_messages_above_the_limit_before_it_sends_any) {
  if (world_size() == 1) GTEST_SKIP() << "one process sends no messages";
  Executor executor = executor_of(shifted(rank_count()), {});
  EXPECT_EQ(message_of([&] {
              executor.run({nullptr, nullptr, std::size_t{1} << 31}, own_rank(), MPI_COMM_WORLD);
            }),
            "a message of 1 x 2147483648 bytes is above the limit of 2147483647 bytes");
}

TEST(Executor, takes_blocks_above_the_limit_in_pieces) {
  if (world_size() == 1) GTEST_SKIP() << "one process sends no messages";
  RunRules rules;
  rules.piece_bytes = 1 << 20;
  EXPECT_EQ(
      message_of([&] { executor_of(shifted(rank_count()), rules).require_countable(std::size_t{1} << 40); }),
      "nothing thrown");
}

}  // namespace
}  // namespace cubefold::mpi
