// Plans with any setup bring every byte of every block to its place, by the schedules of all methods and by others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "cubefold/exchange/method.hpp"
#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_run.hpp"
#include "schedule/delivery.hpp"
#include "support/counted_calls.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr Block block(std::uint32_t source, std::uint32_t destination) {
  return {Rank{source}, Rank{destination}};
}

/// Builds the schedule in which every rank sends one block to the rank k above it in step k, k = 1 .. rank_count - 1.
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

/// Builds the schedule of an empty step and a step in which every rank sends all its blocks, each in a separate
/// message. No method builds such a schedule.
Schedule all_at_once(std::uint32_t rank_count) {
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

/// Returns byte k of a block. Bytes differ between blocks, ranks and positions that a mistake would confuse.
std::byte byte_of(const Block& b, std::size_t k) {
  return static_cast<std::byte>(1 +
                                (label(b.source) * 37 + label(b.destination) * 101 + k * 7 + k / 251) % 255);
}

/// Returns the contents of the send buffer of this process.
std::vector<std::byte> sent_blocks(std::size_t block_bytes) {
  std::vector<std::byte> memory;
  for (std::uint32_t j = 0; j < rank_count(); ++j) {
    for (std::size_t k = 0; k < block_bytes; ++k) memory.push_back(byte_of({own_rank(), Rank{j}}, k));
  }
  return memory;
}

/// Returns the contents that the receive buffer of this process must have after the exchange.
std::vector<std::byte> blocks_to_receive(std::size_t block_bytes) {
  std::vector<std::byte> memory;
  for (std::uint32_t i = 0; i < rank_count(); ++i) {
    for (std::size_t k = 0; k < block_bytes; ++k) memory.push_back(byte_of({Rank{i}, own_rank()}, k));
  }
  return memory;
}

class AlltoallRunTest : public testing::Test {
 protected:
  std::shared_ptr<AlltoallPlan> plan_of(const Schedule& part, const AlltoallSetup& setup) const {
    return AlltoallPlan::make(context, own_rank(), local_program(part, own_rank()), setup);
  }

  std::shared_ptr<CommContext> context = CommContext::on(MPI_COMM_WORLD);
};

void expect_run(AlltoallPlan& plan, std::size_t block_bytes, const std::string& what) {
  const auto send = sent_blocks(block_bytes);
  std::vector<std::byte> receive(send.size());
  const int count = static_cast<int>(block_bytes);
  plan.run({send.data(), count, MPI_BYTE, receive.data(), count, MPI_BYTE});
  EXPECT_EQ(receive, blocks_to_receive(block_bytes)) << what << ", blocks of " << block_bytes;
  EXPECT_EQ(send, sent_blocks(block_bytes)) << what << ": the send buffer has changed";
}

/// Returns setups that differ in synchronisation, pieces, bytes in flight and steps behind.
std::vector<AlltoallSetup> different_setups() {
  AlltoallSetup by_clock{.sync = StepSync::clock};
  by_clock.times = {{{2, 1}, {1, 4, 2, Waits::first}, {1000, 2, 1, Waits::each}}, 3e-6, 2e-6, 1e-10};
  AlltoallSetup clock_and_pieces = by_clock;
  clock_and_pieces.piece_bytes = 300;
  return {AlltoallSetup{},
          {.piece_bytes = 5},
          by_clock,
          clock_and_pieces,
          {.bytes_in_flight = 1, .send_window_steps = 1}};
}

TEST_F(AlltoallRunTest, brings_every_block_by_every_method_on_every_grid) {
  for (const auto& name : grids_of_world()) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : compared_methods(placement.grid())) {
      const Schedule part = exchange_part(method, placement, {}, own_rank());
      for (const auto& setup : different_setups()) {
        const auto plan = plan_of(part, setup);
        for (const std::size_t block_bytes : {0UL, 1UL, 7UL, 24UL})
          expect_run(*plan, block_bytes, name + ' ' + to_string(method));
      }
    }
  }
}

TEST_F(AlltoallRunTest, brings_blocks_that_no_buffer_of_mpi_holds) {
  const Placement placement(parse_grid(ring_of_world()), parse_placement("identity"));
  for (const auto& method : compared_methods(placement.grid())) {
    for (const std::size_t piece_bytes : {0UL, 30000UL}) {
      const auto plan =
          plan_of(exchange_part(method, placement, {}, own_rank()), {.piece_bytes = piece_bytes});
      expect_run(*plan, 70001, to_string(method));
    }
  }
}

TEST_F(AlltoallRunTest, brings_every_block_by_schedules_that_no_builder_makes) {
  for (const Schedule& schedule : {shifted(rank_count()), all_at_once(rank_count())}) {
    ASSERT_EQ(first_delivery_fault(schedule), std::nullopt);
    for (const auto& setup : different_setups()) {
      const auto plan = plan_of(part_of(schedule, own_rank()), setup);
      for (const std::size_t block_bytes : {0UL, 1UL, 8UL, 8000UL})
        expect_run(*plan, block_bytes, "a schedule that no method builds");
    }
  }
}

TEST_F(AlltoallRunTest, takes_larger_blocks_and_smaller_ones_than_before) {
  const auto plan = plan_of(part_of(shifted(rank_count()), own_rank()), {});
  for (const std::size_t block_bytes : {8UL, 4000UL, 1UL, 0UL, 4000UL})
    expect_run(*plan, block_bytes, "again");
}

/// Runs a plan and returns the bytes that this process has copied.
std::size_t bytes_copied_by_run(const AlltoallPlan& plan, std::size_t block_bytes) {
  const auto send = sent_blocks(block_bytes);
  std::vector<std::byte> receive(send.size());
  const ExchangeMemory memory{send.data(), receive.data(), block_bytes};
  std::vector<std::byte> scratch(RunSizes(plan, memory).scratch_bytes);
  AlltoallRun run(plan, memory, plan.context().next_tags(), scratch.data(), false);
  plan.context().start(run);
  plan.context().wait(run);
  plan.context().leave(run);
  EXPECT_EQ(receive, blocks_to_receive(block_bytes));
  return run.copied_bytes();
}

TEST_F(AlltoallRunTest, copies_as_many_bytes_as_its_program_says) {
  constexpr std::size_t block_bytes = 24;
  for (const auto& name : grids_of_world()) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : compared_methods(placement.grid())) {
      for (const std::size_t piece_bytes : {0UL, 5UL}) {
        const auto plan =
            plan_of(exchange_part(method, placement, {}, own_rank()), {.piece_bytes = piece_bytes});
        const CopiedBlocks copied = copied_blocks(plan->program(), piece_bytes == 0);
        EXPECT_EQ(bytes_copied_by_run(*plan, block_bytes),
                  (copied.own + copied.packed + copied.unpacked) * block_bytes)
            << name << ' ' << to_string(method);
      }
    }
  }
}

TEST_F(AlltoallRunTest, copies_no_block_that_travels_in_a_message_of_its_own) {
  constexpr std::size_t block_bytes = 24;
  for (const auto& name : grids_of_world()) {
    const VirtualComm comm(MPI_COMM_WORLD, name, "identity");
    for (const auto& method : compared_methods(comm.placement().grid())) {
      for (const std::size_t piece_bytes : {0UL, 5UL}) {
        const auto plan = AlltoallPlan::make(
            comm, {.method = method, .piece_bytes = piece_bytes, .single_block_bytes = block_bytes});
        EXPECT_EQ(bytes_copied_by_run(*plan, block_bytes), block_bytes) << name << ' ' << to_string(method);
        const CopiedBlocks copied = copied_blocks(plan->program(), piece_bytes == 0);
        EXPECT_EQ(bytes_copied_by_run(*plan, block_bytes - 1),
                  (copied.own + copied.forwarded()) * (block_bytes - 1))
            << name << ' ' << to_string(method);
      }
    }
  }
}

// An exchange with call-backs packs its packets where an exchange between buffers needs no copy. It therefore takes
// more scratch for blocks of the same size.
TEST_F(AlltoallRunTest, takes_call_backs_after_buffers_with_blocks_of_the_same_size) {
  constexpr std::size_t block_bytes = 40'000;
  const auto plan = plan_of(part_of(shifted(rank_count()), own_rank()), {});
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
    ASSERT_GT(RunSizes(*plan, called).scratch_bytes,
              RunSizes(*plan, {nullptr, nullptr, block_bytes}).scratch_bytes);
  }
  expect_run(*plan, block_bytes, "buffers");
  plan->run_packets(block_bytes, calls);
  EXPECT_EQ(receive, blocks_to_receive(block_bytes));
}

/// Watches the staging buffers of sends, which are 0 until messages are packed into them.
class WatchedStaging {
 public:
  WatchedStaging(std::span<const std::byte> buffers, std::size_t buffer_bytes)
      : buffers_(buffers), buffer_bytes_(buffer_bytes) {
    sees_message = [this](const void* data) { look(static_cast<const std::byte*>(data)); };
  }
  WatchedStaging(const WatchedStaging&) = delete;
  WatchedStaging& operator=(const WatchedStaging&) = delete;
  ~WatchedStaging() { sees_message = nullptr; }

  /// Returns the number of buffers from which messages were sent.
  std::size_t sent() const { return sent_.size(); }

  /// Returns whether a buffer was packed before the message of the one before was sent.
  bool was_packed_ahead() const { return was_packed_ahead_; }

 private:
  void look(const std::byte* data) {
    for (std::size_t at = 0; at + buffer_bytes_ <= buffers_.size(); at += buffer_bytes_) {
      const auto buffer = buffers_.subspan(at, buffer_bytes_);
      const bool is_packed = std::ranges::any_of(buffer, [](std::byte each) { return each != std::byte{0}; });
      if (data == buffer.data()) sent_.insert(at);
      if (is_packed && !sent_.contains(at)) was_packed_ahead_ = true;
    }
  }

  std::span<const std::byte> buffers_;
  std::size_t buffer_bytes_;
  std::set<std::size_t> sent_;
  bool was_packed_ahead_ = false;
};

TEST_F(AlltoallRunTest, sends_a_message_before_it_packs_the_next_one) {
  constexpr std::size_t block_bytes = 24;
  std::size_t most_buffers = 0;
  for (const auto& name : grids_of_world()) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : compared_methods(placement.grid())) {
      const auto plan =
          plan_of(exchange_part(method, placement, {Ports::all, Tie::balanced}, own_rank()), {});
      const auto send = sent_blocks(block_bytes);
      std::vector<std::byte> receive(send.size());
      const ExchangeMemory memory{send.data(), receive.data(), block_bytes};
      const RunSizes sizes(*plan, memory);
      std::vector<std::byte> scratch(sizes.scratch_bytes);
      AlltoallRun run(*plan, memory, context->next_tags(), scratch.data(), false);
      const std::size_t forwarded = plan->program().scratch_slots * block_bytes;
      const WatchedStaging staging(
          {scratch.data() + forwarded, BufferPool::memory_bytes(sizes.staging_bytes)},
          std::max<std::size_t>(sizes.staging_bytes, 1));
      context->start(run);
      context->wait(run);
      context->leave(run);
      EXPECT_FALSE(staging.was_packed_ahead()) << name << ' ' << to_string(method);
      most_buffers = std::max(most_buffers, staging.sent());
    }
  }
  if (world_size() == 8) {
    EXPECT_GT(most_buffers, 1U);
  }
}

/// Builds the schedule in which rank 1 passes on the block from rank 3 to rank 0 with its own one, and rank 2 sends its
/// blocks last.
Schedule last_from_2(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {{}, {}, {}}};
  for (std::uint32_t from = 0; from < rank_count; ++from) {
    for (std::uint32_t to = 0; to < rank_count; ++to) {
      if (from == to || (to == 0 && (from == 1 || from == 3))) continue;
      Message message{Rank{from}, Rank{to}, {block(from, to)}};
      if (from == 3 && to == 1) message.blocks.push_back(block(3, 0));
      schedule.steps[from == 2 ? 2 : 0].push_back(message);
    }
  }
  schedule.steps[1].push_back({Rank{1}, Rank{0}, {block(1, 0), block(3, 0)}});
  return schedule;
}

// Rank 2 begins when rank 0 has unpacked a message.
TEST_F(AlltoallRunTest, unpacks_a_message_while_others_are_under_way) {
  if (world_size() < 4) GTEST_SKIP() << "it takes 4 processes";
  constexpr std::size_t block_bytes = 24;
  const auto plan =
      plan_of(part_of(last_from_2(rank_count()), own_rank()), {.send_window_steps = unlimited_steps});
  const auto send = sent_blocks(block_bytes);
  std::vector<std::byte> receive(send.size());
  const ExchangeMemory memory{send.data(), receive.data(), block_bytes};
  std::vector<std::byte> scratch(RunSizes(*plan, memory).scratch_bytes);
  AlltoallRun run(*plan, memory, context->next_tags(), scratch.data(), false);
  int is_unpacked = 0;
  if (world_rank() == 2) MPI_Recv(&is_unpacked, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  context->start(run);
  if (world_rank() == 0) {
    ASSERT_EQ(copied_blocks(plan->program()).unpacked, 2U);
    const auto expected = blocks_to_receive(block_bytes);
    const auto has_block_from = [&](std::size_t rank) {
      const auto at = static_cast<std::ptrdiff_t>(rank * block_bytes);
      return std::equal(receive.begin() + at, receive.begin() + at + block_bytes, expected.begin() + at);
    };
    while (!has_block_from(1) || !has_block_from(3)) context->advance();
    is_unpacked = 1;
    MPI_Send(&is_unpacked, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  }
  context->wait(run);
  context->leave(run);
  EXPECT_EQ(receive, blocks_to_receive(block_bytes));
}

// In each round one process computes for a while before it starts, while all others are already in the exchange.
TEST_F(AlltoallRunTest, waits_for_a_process_that_comes_late) {
  const Placement placement(parse_grid(ring_of_world()), parse_placement("identity"));
  const auto part = exchange_part({ExchangeAlgorithm::direct, {}}, placement, {}, own_rank());
  for (const auto& setup : different_setups()) {
    const auto plan = plan_of(part, setup);
    for (int late = 0; late < world_size(); late += 1 + world_size() / 3) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (world_rank() == late) {
        double sum = 0;
        for (int i = 0; i < 300000; ++i) sum += std::sqrt(i);
        ASSERT_GT(sum, 0);
      }
      expect_run(*plan, 7, "one process is late");
    }
  }
}

TEST_F(AlltoallRunTest, takes_as_much_scratch_as_its_plan_says) {
  const auto part_bytes = [&](const char* text, std::size_t piece_bytes, std::size_t block_bytes) {
    const Placement placement(parse_grid("ring:4"), parse_placement("identity"));
    const auto part = exchange_part(parse_exchange_method(text), placement, {}, Rank{0});
    const auto plan =
        AlltoallPlan::make(context, Rank{0}, local_program(part, Rank{0}), {.piece_bytes = piece_bytes});
    return RunSizes(*plan, {nullptr, nullptr, block_bytes}).scratch_bytes;
  };
  EXPECT_EQ(part_bytes("direct", 0, 1000), 0U);  // no block is stored on the way
  EXPECT_GT(part_bytes("cc-cube", 0, 1000), part_bytes("cc-cube", 10, 1000));
  EXPECT_EQ(part_bytes("cc-cube", 0, 2000), 2 * part_bytes("cc-cube", 0, 1000));
}

}  // namespace
}  // namespace cubefold::mpi
