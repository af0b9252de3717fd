#include "cubefold/mpi/executor.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/schedule/delivery.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr Block block(std::uint32_t source, std::uint32_t destination) {
  return {Rank{source}, Rank{destination}};
}

/// In step k every rank swaps one block with rank xor k: another schedule than any builder makes.
Schedule pairwise(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {}};
  for (std::uint32_t k = 1; k < rank_count; ++k) {
    Step& step = schedule.steps.emplace_back();
    for (std::uint32_t r = 0; r < rank_count; ++r) step.push_back({Rank{r}, Rank{r ^ k}, {block(r, r ^ k)}});
  }
  return schedule;
}

/// All blocks at once, each in a message of its own, and a step in which nobody has anything to do.
Schedule flood(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {{}, {}}};
  for (const Step& step : pairwise(rank_count).steps) {
    schedule.steps[1].insert(schedule.steps[1].end(), step.begin(), step.end());
  }
  return schedule;
}

/// The number that names a block's k-th word.
std::uint64_t word(const Block& b, std::size_t k) {
  return (std::uint64_t{label(b.source)} << 40) | (std::uint64_t{label(b.destination)} << 20) | k;
}

void expect_exchanged(const Schedule& schedule, std::size_t words_per_block) {
  ASSERT_EQ(first_delivery_fault(schedule), std::nullopt);
  const Rank rank{static_cast<std::uint32_t>(world_rank())};
  const auto rank_count = static_cast<std::uint32_t>(world_size());
  std::vector<std::uint64_t> memory;
  for (std::uint32_t j = 0; j < rank_count; ++j) {
    for (std::size_t k = 0; k < words_per_block; ++k) memory.push_back(word({rank, Rank{j}}, k));
  }
  Executor executor;
  executor.run(local_program(part_of(schedule, rank), rank), reinterpret_cast<std::byte*>(memory.data()),
               words_per_block * sizeof(std::uint64_t), MPI_COMM_WORLD);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < rank_count; ++i) {
    for (std::size_t k = 0; k < words_per_block; ++k) EXPECT_EQ(memory[next++], word({Rank{i}, rank}, k));
  }
}

class ExecutorOfWords : public testing::TestWithParam<std::size_t> {};

TEST_P(ExecutorOfWords, runs_a_pairwise_schedule) {
  expect_exchanged(pairwise(static_cast<std::uint32_t>(world_size())), GetParam());
}

TEST_P(ExecutorOfWords, runs_many_messages_in_one_step_and_none_in_another) {
  expect_exchanged(flood(static_cast<std::uint32_t>(world_size())), GetParam());
}

TEST_P(ExecutorOfWords, runs_the_cc_cube_exchange) {
  int d = 0;
  while ((1 << d) < world_size()) ++d;
  expect_exchanged(cc_cube_exchange(d), GetParam());
}

INSTANTIATE_TEST_SUITE_P(BlockWords, ExecutorOfWords, testing::Values(0, 1, 3, 1000));

TEST(Executor, refuses_messages_above_the_limit_before_it_sends_any) {
  if (world_size() == 1) GTEST_SKIP() << "one process sends no messages";
  const Rank rank{static_cast<std::uint32_t>(world_rank())};
  const auto program = local_program(part_of(pairwise(static_cast<std::uint32_t>(world_size())), rank), rank);
  Executor executor;
  EXPECT_EQ(message_of([&] { executor.run(program, nullptr, std::size_t{1} << 31, MPI_COMM_WORLD); }),
            "a message of 1 x 2147483648 bytes is above the limit of 2147483647 bytes");
}

}  // namespace
}  // namespace cubefold::mpi
