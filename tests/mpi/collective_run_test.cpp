// Runs of programs that reduce give what MPI gives, by the schedules of all collectives.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_run.hpp"
#include "schedule/delivery.hpp"
#include "support/collective_schedules.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

using Values = std::vector<std::int64_t>;

Rank this_rank() {
  return Rank{static_cast<std::uint32_t>(world_rank())};
}

void add(std::span<const std::byte> operand, std::span<std::byte> arrived) {
  ASSERT_EQ(operand.size() % sizeof(std::int64_t), 0U);
  const int count = static_cast<int>(arrived.size() / sizeof(std::int64_t));
  MPI_Reduce_local(operand.data(), arrived.data(), count, MPI_INT64_T, MPI_SUM);
}

std::array<std::byte, 3 * sizeof(std::int64_t)> right_operands;
const Reduction sum{sizeof(std::int64_t), add, right_operands};

/// Returns how many chunks a process has in the buffer of MPI for those of which is_one(chunk) is true.
template <typename IsOne>
std::size_t chunks_of(const Collective& collective, IsOne is_one) {
  std::size_t count = 0;
  for (std::uint32_t c = 0; c < collective.chunk_count(); ++c) count += is_one(numbered_chunk(c)) ? 1U : 0U;
  return count;
}

std::size_t sent_chunks(const Collective& collective) {
  return chunks_of(collective, [&](const Block& c) { return collective.contributes(this_rank(), c); });
}

std::size_t received_chunks(const Collective& collective) {
  return chunks_of(collective, [&](const Block& c) { return collective.wants(this_rank(), c); });
}

Values values_to_send(const Collective& collective, std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < sent_chunks(collective) * count; ++i)
    values.push_back(static_cast<std::int64_t>((label(this_rank()) + 1) * 1'000'003 * (i + 7)));
  return values;
}

/// Returns what MPI makes of these values, which have `count` values for each chunk.
Values values_of_mpi(const Collective& collective, const Values& sent, std::size_t count) {
  Values received(received_chunks(collective) * count);
  const int sent_count = static_cast<int>(sent.size());
  const int received_count = static_cast<int>(received.size());
  if (sent.size() < collective.chunk_count() * count) {
    MPI_Allgather(sent.data(), sent_count, MPI_INT64_T, received.data(), sent_count, MPI_INT64_T,
                  MPI_COMM_WORLD);
  } else if (received.size() < collective.chunk_count() * count) {
    MPI_Reduce_scatter_block(sent.data(), received.data(), received_count, MPI_INT64_T, MPI_SUM,
                             MPI_COMM_WORLD);
  } else {
    MPI_Allreduce(sent.data(), received.data(), sent_count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  return received;
}

class CollectiveRunTest : public testing::Test {
 protected:
  std::shared_ptr<AlltoallPlan> plan_of(const CollectiveSchedule& made, const AlltoallSetup& setup) const {
    const LocalProgram program =
        local_program(part_of(made.schedule, this_rank()), this_rank(), made.collective);
    return AlltoallPlan::make(context, this_rank(), program, setup);
  }

  void run(const AlltoallPlan& plan, const ExchangeMemory& memory) const {
    std::vector<std::byte> scratch(RunSizes(plan, memory).scratch_bytes);
    AlltoallRun run(plan, memory, context->next_tags(), scratch.data(), false);
    context->start(run);
    context->wait(run);
    context->leave(run);
    if (run.failure()) std::rethrow_exception(run.failure());
  }

  std::shared_ptr<CommContext> context = CommContext::on(MPI_COMM_WORLD);
};

TEST_F(CollectiveRunTest, gives_what_mpi_gives_in_one_piece_and_in_many) {
  const AlltoallSetup setups[] = {{},
                                  {.piece_bytes = 8},
                                  {.piece_bytes = 20},  // pieces of two values, in whole elements
                                  {.bytes_in_flight = 1, .send_window_steps = 1},
                                  {.send_window_steps = 4}};
  for (const CollectiveSchedule& made : collective_schedules(static_cast<std::uint32_t>(world_size()))) {
    ASSERT_EQ(first_delivery_fault(made.schedule, made.collective), std::nullopt);
    for (const auto& setup : setups) {
      const auto plan = plan_of(made, setup);
      for (const std::size_t count : {0UL, 1UL, 5UL, 1000UL}) {
        if (setup.piece_bytes > 0 && count > 100) continue;
        const Values sent = values_to_send(made.collective, count);
        const Values expected = values_of_mpi(made.collective, sent, count);
        Values received(expected.size());
        ExchangeMemory memory{reinterpret_cast<const std::byte*>(sent.data()),
                              reinterpret_cast<std::byte*>(received.data()), count * sizeof(std::int64_t)};
        memory.reduction = &sum;
        run(*plan, memory);
        EXPECT_EQ(received, expected) << made.name << ", " << count << ", pieces of " << setup.piece_bytes;
        EXPECT_EQ(sent, values_to_send(made.collective, count)) << "the send buffer has changed";
      }
    }
  }
}

TEST_F(CollectiveRunTest, gives_what_mpi_gives_for_messages_that_no_buffer_of_mpi_holds) {
  const auto made = doubling_allreduce(static_cast<std::uint32_t>(world_size()), 2);
  const Values sent = values_to_send(made.collective, 100'000);
  const Values expected = values_of_mpi(made.collective, sent, 100'000);
  Values received(expected.size());
  ExchangeMemory memory{reinterpret_cast<const std::byte*>(sent.data()),
                        reinterpret_cast<std::byte*>(received.data()), 800'000};
  memory.reduction = &sum;
  run(*plan_of(made, {}), memory);
  EXPECT_EQ(received, expected);
}

TEST_F(CollectiveRunTest, refuses_pieces_that_are_shorter_than_an_element) {
  const auto plan = plan_of(ring_allreduce(static_cast<std::uint32_t>(world_size())), {.piece_bytes = 4});
  ExchangeMemory memory{nullptr, nullptr, 8};
  memory.reduction = &sum;
  EXPECT_EQ(message_of([&] {
              AlltoallRun(*plan, memory, {context->comm(), 0, 0}, nullptr, false);
            }),
            "an element of 8 bytes is longer than a piece of 4");
}

}  // namespace
}  // namespace cubefold::mpi
