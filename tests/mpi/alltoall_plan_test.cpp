#include "mpi/alltoall_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/mpi/error.hpp"
#include "mpi/alltoall_run.hpp"
#include "support/alltoall_plan_world.hpp"
#include "support/message_of.hpp"

namespace cubefold::mpi {
namespace {

TEST_F(AlltoallPlanTest, brings_block_i_from_virtual_rank_i) {
  for (const int count : {1, 2, 7, 1000}) {
    const auto send = sent(count);
    std::vector<int> receive(send.size());
    exchange->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
    EXPECT_EQ(receive, expected(count));
    EXPECT_EQ(send, sent(count)) << "the send buffer has changed";
  }
}

TEST_F(AlltoallPlanTest, brings_the_same_by_every_method) {
  for (const auto& method : compared_methods(comm.placement().grid())) {
    const auto other = AlltoallPlan::make(comm, {.method = method});
    for (const int count : {1, 1000}) {
      const auto send = sent(count);
      std::vector<int> receive(send.size());
      other->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
      EXPECT_EQ(receive, expected(count)) << to_string(method);
      other->run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive.data(), count, MPI_INT});
      EXPECT_EQ(receive, sent(count)) << to_string(method);
    }
  }
}

TEST_F(AlltoallPlanTest, runs_as_its_setup_says) {
  AlltoallSetup setup{.method = {ExchangeAlgorithm::axis_rotated, {}}, .sync = StepSync::clock};
  setup.times = {{{1000, 1, 1, Waits::first}}, 2e-6, 1e-6, 1e-10};
  setup.piece_bytes = 100;
  for (const Ports ports : {Ports::one, Ports::all}) {
    setup.network = {ports, Tie::positive};
    const auto paced = AlltoallPlan::make(comm, setup);
    const auto send = sent(70);
    std::vector<int> receive(send.size());
    paced->run({send.data(), 70, MPI_INT, receive.data(), 70, MPI_INT});
    EXPECT_EQ(receive, expected(70));
  }
}

TEST_F(AlltoallPlanTest, works_in_place) {
  auto buffer = sent(5);
  exchange->run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 5, MPI_INT});
  EXPECT_EQ(buffer, expected(5));
}

TEST_F(AlltoallPlanTest, does_nothing_for_counts_of_0) {
  std::vector<int> receive(static_cast<std::size_t>(size), 7);
  exchange->run({nullptr, 0, MPI_INT, receive.data(), 0, MPI_INT});
  EXPECT_EQ(receive, std::vector<int>(static_cast<std::size_t>(size), 7));
}

TEST_F(AlltoallPlanTest, agrees_with_pairwise_messages_under_every_placement) {
  for (const auto& grid : grids_of_world()) {
    for (const auto& rule : rules_of_world()) {
      const VirtualComm placed(MPI_COMM_WORLD, grid, rule);
      const auto on_it = AlltoallPlan::make(placed, {.method = compared_methods(placed.grid()).back()});
      const int me = static_cast<int>(label(placed.rank()));
      std::vector<int> send;
      for (int j = 0; j < size; ++j) send.push_back(number(me, j, 0));
      std::vector<int> receive(send.size());
      std::vector<int> oracle(send.size());
      on_it->run({send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT});
      for (int j = 0; j < size; ++j) {
        const int to = (me + j) % size;
        const int from = (me - j + size) % size;
        MPI_Sendrecv(&send[static_cast<std::size_t>(to)], 1, MPI_INT, to, 0,
                     &oracle[static_cast<std::size_t>(from)], 1, MPI_INT, from, 0, placed.virtual_comm(),
                     MPI_STATUS_IGNORE);
      }
      EXPECT_EQ(receive, oracle) << grid << ' ' << rule;
    }
  }
}

TEST_F(AlltoallPlanTest, brings_the_same_on_networks_with_route_tables) {
  for (const auto& network : other_networks_of_world()) {
    const VirtualComm placed(MPI_COMM_WORLD, network, "identity");
    for (const auto& method : compared_methods(placed.grid())) {
      for (const StepSync sync : {StepSync::data, StepSync::clock}) {
        const auto on_it = AlltoallPlan::make(placed, {.method = method, .sync = sync});
        const int me = static_cast<int>(label(placed.rank()));
        std::vector<int> blocks;
        for (int j = 0; j < size; ++j) blocks.push_back(number(me, j, 0));
        std::vector<int> receive(blocks.size());
        on_it->run({blocks.data(), 1, MPI_INT, receive.data(), 1, MPI_INT});
        for (int j = 0; j < size; ++j)
          EXPECT_EQ(receive[static_cast<std::size_t>(j)], number(j, me, 0))
              << network << ' ' << to_string(method);
      }
    }
  }
}

TEST_F(AlltoallPlanTest, says_that_another_process_sends_blocks_of_another_size) {
  if (size != 2) GTEST_SKIP() << "written for 2 processes";
  std::vector<int> numbers(8, 7);
  exchange->run({MPI_IN_PLACE, 4, MPI_INT, numbers.data(), 4, MPI_INT});
  std::string text = "nothing thrown";
  try {
    exchange->run({MPI_IN_PLACE, 4, MPI_INT, numbers.data(), rank == 0 ? 4 : 2, MPI_INT});
  } catch (const Error& error) {
    text = error.what();
  }
  if (rank == 0) {
    EXPECT_EQ(text,
              "rank 1 sent 8 bytes where 16 were expected: do all processes exchange blocks of one size?");
  } else {
    EXPECT_NE(text.find("MPI_ERR_TRUNCATE"), std::string::npos) << text;
  }
}

TEST_F(AlltoallPlanTest, does_not_meet_messages_of_the_caller_on_any_communicator) {
  int from_parent = 0;
  int from_virtual = 0;
  MPI_Request requests[2];
  MPI_Irecv(&from_parent, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from_virtual, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm.virtual_comm(), &requests[1]);
  const auto send = sent(1);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT});
  EXPECT_EQ(receive, expected(1));
  const int hello = 42;
  MPI_Send(&hello, 1, MPI_INT, (world_rank() + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Send(&hello, 1, MPI_INT, (rank + 1) % size, 0, comm.virtual_comm());
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT_EQ(from_parent, 42);
  EXPECT_EQ(from_virtual, 42);
}

TEST_F(AlltoallPlanTest, names_what_is_wrong_with_its_arguments) {
  std::vector<int> buffer(static_cast<std::size_t>(size));
  const auto complaint = [&](const void* send, int send_count, MPI_Datatype send_type, int count,
                             MPI_Datatype type) {
    const auto refusing = AlltoallPlan::make(comm, {.method = compared_methods(comm.grid()).front()});
    return message_of([&] { refusing->run({send, send_count, send_type, buffer.data(), count, type}); });
  };
  EXPECT_EQ(complaint(buffer.data(), -1, MPI_INT, 1, MPI_INT), "count -1 is negative");
  EXPECT_EQ(complaint(buffer.data(), 1, MPI_DATATYPE_NULL, 1, MPI_INT), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(MPI_IN_PLACE, 1, MPI_INT, 1, MPI_DATATYPE_NULL), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(nullptr, 1, MPI_INT, 1, MPI_INT), "the buffer is a null pointer");
  EXPECT_EQ(complaint(buffer.data(), 1, MPI_SHORT, 1, MPI_INT),
            "blocks of 2 bytes are sent but blocks of 4 bytes received");
  EXPECT_EQ(complaint(buffer.data(), 2, MPI_INT, 1, MPI_INT),
            "blocks of 8 bytes are sent but blocks of 4 bytes received");
}

TEST(AlltoallPlan, takes_a_bounded_amount_of_staging_memory_for_messages_of_thousands_of_blocks) {
  const Placement placement(parse_grid("ring:4096"), parse_placement("identity"));
  const ExchangeMethod bruck{ExchangeAlgorithm::bruck, {2}};
  const Schedule part = exchange_part(bruck, placement, {}, Rank{0});
  const auto plan = AlltoallPlan::make(CommContext::on(MPI_COMM_SELF), Rank{0}, local_program(part, Rank{0}),
                                       {.method = bruck});
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{64} << 10, std::size_t{1} << 30}) {
    const std::size_t forwarded = plan->program().scratch_slots * block_bytes;
    const RunSizes sizes(*plan, {nullptr, nullptr, block_bytes});
    EXPECT_LE(sizes.scratch_bytes - forwarded, std::size_t{32} << 20) << block_bytes;
  }
}

TEST(AlltoallPlan, refuses_a_method_that_does_not_fit_the_number_of_processes) {
  if (world_is_a_cube()) GTEST_SKIP() << "needs a number of processes that is no power of two";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  EXPECT_EQ(
      message_of([&] {
        AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::cc_cube, {}}});
      }),
      ring_of_world() + " has " + std::to_string(world_size()) + " nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold::mpi
