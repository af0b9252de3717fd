#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "mpi/plan_cache.hpp"
#include "support/counted_calls.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_mpi.hpp"
#include "support/message_of.hpp"
#include "support/spread_type.hpp"
#include "support/unequal_exchange.hpp"
#include "support/unequal_side.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

class UnequalExchangeTest : public testing::TestWithParam<const char*>, protected ExchangeWorld {
 protected:
  UnequalExchangeTest()
      : ExchangeWorld(grids_of_world().back(), "identity"),
        context(CommContext::on(comm.virtual_comm())),
        exchange(unequal_exchange(comm, context, {setup(parse_candidate(GetParam()))})) {}

  static AlltoallSetup setup(const AlltoallCandidate& candidate) {
    AlltoallSetup setup = setup_for(candidate);
    setup.piece_bytes = 40;
    setup.times.gap_seconds = 1e-6;
    setup.times.tau_seconds_per_byte = 1e-9;
    return setup;
  }

  template <typename Count>
  Side sent(Count count) const {
    return {size, [&](int j) { return count(rank, j); }, [&](int j, int k) { return number(rank, j, k); }};
  }
  template <typename Count>
  Side expected(Count count) const {
    return {size, [&](int i) { return count(i, rank); }, [&](int i, int k) { return number(i, rank, k); }};
  }

  template <typename Count>
  void expect_exchanged(Count count) {
    const Side send = sent(count);
    const Side wanted = expected(count);
    std::vector<int> receive(wanted.numbers.size(), -1);
    exchange->run({send.numbers.data(), send.counts, send.displacements, MPI_INT, receive.data(),
                   wanted.counts, wanted.displacements, MPI_INT});
    EXPECT_EQ(receive, wanted.numbers);
  }

  std::shared_ptr<CommContext> context;
  std::shared_ptr<Exchange> exchange;
};

TEST_P(UnequalExchangeTest, brings_blocks_of_sizes_near_one_another) {
  expect_exchanged([](int i, int j) { return 10 + (3 * i + 5 * j) % 7; });
}

TEST_P(UnequalExchangeTest, brings_blocks_some_of_which_are_empty) {
  expect_exchanged([](int i, int j) { return (i + j) % 2 == 0 ? 25 : 0; });
  expect_exchanged([](int, int) { return 0; });
}

TEST_P(UnequalExchangeTest, brings_what_a_process_has_for_itself_however_long_it_is) {
  expect_exchanged([](int i, int j) { return i == j ? 1000 : 1; });
}

TEST_P(UnequalExchangeTest, brings_a_single_long_block) {
  for (int call = 0; call < 2; ++call)
    expect_exchanged([](int i, int j) { return i == 0 && j == 1 ? 900 : 1; });
}

TEST_P(UnequalExchangeTest, brings_a_long_block_of_several_processes_to_one) {
  for (int call = 0; call < 2; ++call)
    expect_exchanged([](int i, int j) { return 0 < i && i < 8 && j == 0 ? 900 : 1; });
}

TEST_P(UnequalExchangeTest, brings_blocks_whose_sizes_change_between_calls) {
  for (int call = 0; call < 4; ++call)
    expect_exchanged([&](int i, int j) { return 1 + (i + 2 * j + call / 2) % 5; });
}

TEST_P(UnequalExchangeTest, first_ends_what_is_under_way) {
  const auto equal = AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::direct, {}}});
  const auto send = sent_by(rank, size, 3);
  std::vector<int> receive(send.size());
  auto request = equal->start({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  if (rank % 2 == 0) request->wait();
  expect_exchanged([](int i, int j) { return i == 0 && j == 1 ? 900 : 1; });
  if (rank % 2 == 1) request->wait();
  EXPECT_EQ(receive, received_by(rank, size, 3));
}

// The arrays are overwritten while the exchanges are under way, and processes wait for these in different orders.
TEST_P(UnequalExchangeTest, goes_on_after_calls_that_do_not_wait) {
  constexpr int exchange_count = 3;
  const auto count = [](int i, int j) { return (3 * i + 5 * j) % 7; };
  std::vector<Side> sides;
  std::vector<std::vector<int>> received;
  std::vector<std::unique_ptr<AlltoallRequest>> requests;
  exchange = unequal_exchange(comm, context, {setup_for(parse_candidate(GetParam()))});
  for (int k = 0; k < exchange_count; ++k) {
    sides.push_back(sent([&](int i, int j) { return k + count(i, j); }));
    const Side wanted = expected([&](int i, int j) { return k + count(i, j); });
    received.emplace_back(wanted.numbers.size(), -1);
    Side arrays = wanted;
    requests.push_back(
        exchange->prepare({sides.back().numbers.data(), sides.back().counts, sides.back().displacements,
                           MPI_INT, received.back().data(), arrays.counts, arrays.displacements, MPI_INT}));
    std::fill(arrays.counts.begin(), arrays.counts.end(), -1);
    std::fill(arrays.displacements.begin(), arrays.displacements.end(), 1 << 20);
    requests.back()->start();
  }
  for (int k = 0; k < exchange_count; ++k)
    requests[static_cast<std::size_t>((k + rank) % exchange_count)]->wait();
  for (int k = 0; k < exchange_count; ++k)
    EXPECT_EQ(received[static_cast<std::size_t>(k)],
              expected([&](int i, int j) { return k + count(i, j); }).numbers);
}

TEST_P(UnequalExchangeTest, unpacks_types_after_calls_that_do_not_wait) {
  exchange = unequal_exchange(comm, context, {setup_for(parse_candidate(GetParam()))});
  const auto send = spread_out(sent_by(rank, size, 2));
  std::vector<int> receive(send.size(), -2);
  std::unique_ptr<AlltoallRequest> request;
  {
    const SpreadType pair(2);
    std::vector<int> counts(static_cast<std::size_t>(size), 1);
    std::vector<int> places;
    for (int i = 0; i < size; ++i) places.push_back(i);
    request = exchange->prepare(
        {send.data(), counts, places, pair.get(), receive.data(), counts, places, pair.get()});
    std::fill(counts.begin(), counts.end(), -1);
    std::fill(places.begin(), places.end(), 1 << 20);
  }
  request->start();
  request->wait();
  EXPECT_EQ(receive, spread_out(received_by(rank, size, 2)));
}

TEST_P(UnequalExchangeTest, works_in_place_where_sizes_are_the_same_both_ways) {
  for (const int longest : {0, 500}) {
    const auto count = [&](int i, int j) { return i + j == 1 ? 5 + longest : 2 + (i + j) % 3; };
    Side buffer = sent(count);
    exchange->run({MPI_IN_PLACE,
                   {},
                   {},
                   MPI_DATATYPE_NULL,
                   buffer.numbers.data(),
                   buffer.counts,
                   buffer.displacements,
                   MPI_INT});
    EXPECT_EQ(buffer.numbers, expected(count).numbers);
  }
}

TEST_P(UnequalExchangeTest, takes_types_with_gaps_and_displacements_in_any_order) {
  for (const int longest : {1, 200}) {
    expect_pairs_exchanged(*exchange, rank, size,
                           [&](int i, int j) { return i == 0 && j == 1 ? longest : 1 + (i + j) % 2; });
  }
}

TEST_P(UnequalExchangeTest, names_what_is_wrong_with_its_arguments) {
  std::vector<int> one(static_cast<std::size_t>(size), 1);
  std::vector<int> minus(static_cast<std::size_t>(size), -1);
  const std::vector<int> places(static_cast<std::size_t>(size), 0);
  int buffer = 0;
  const auto complaint = [&](std::span<const int> send_counts, std::span<const int> receive_counts,
                             MPI_Datatype type) {
    return message_of([&] {
      exchange->run({&buffer, send_counts, places, MPI_INT, &buffer, receive_counts, places, type});
    });
  };
  EXPECT_EQ(complaint(minus, one, MPI_INT), "count -1 is negative");
  EXPECT_EQ(complaint(one, minus, MPI_INT), "count -1 is negative");
  EXPECT_EQ(complaint(one, one, MPI_DATATYPE_NULL), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(one, one, MPI_SHORT), "the process has 4 bytes for itself where it expects 2");
}

INSTANTIATE_TEST_SUITE_P(Candidates, UnequalExchangeTest,
                         testing::Values("MPI's own all-to-all", "linear", "direct",
                                         "direct with 16 steps ahead", "direct by size"));

/// Exchanges blocks by size in the network of a line of all processes.
class ExchangeBySize : public testing::Test, protected ExchangeWorld {
 protected:
  ExchangeBySize() : ExchangeWorld("line:" + std::to_string(world_size()), "identity") {}
  void SetUp() override {
    if (size == 1) GTEST_SKIP() << "a process alone exchanges nothing";
  }

  std::shared_ptr<Exchange> exchange_with(double gap_seconds) const {
    AlltoallSetup setup = setup_with({ExchangeAlgorithm::linear, {}}, StepSync::data);
    setup.network.ports = Ports::one;
    setup.times.gap_seconds = gap_seconds;
    setup.backend = Backend::by_size;
    return unequal_exchange(comm, CommContext::on(comm.virtual_comm()), {setup});
  }

  void run(Exchange& exchange, int count) const {
    const std::vector<int> counts(static_cast<std::size_t>(size), count);
    std::vector<int> places;
    for (int i = 0; i < size; ++i) places.push_back(i * count);
    const auto send = sent_by(rank, size, count);
    std::vector<int> receive(send.size());
    exchange.run({send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
    EXPECT_EQ(receive, received_by(rank, size, count));
  }
};

TEST_F(ExchangeBySize, is_chosen_with_a_machine_file) {
  std::optional<Machine> machine{Machine{comm.grid()}};
  machine->alpha_seconds = 1e-4;
  machine->gap_seconds = 1e-5;
  machine->tau_seconds_per_byte = {1e-8};
  machine->host_count = 2;
  EXPECT_NE(PlanCache(comm, machine).explain(1000).find("; direct by size\nallreduce of"), std::string::npos);
  const Variable trials("CUBEFOLD_TRIALS", "0");
  PlanCache plans(comm, machine);
  run(*plans.for_blocks(std::nullopt), 1000);
  EXPECT_EQ(plans.for_blocks(std::nullopt)->last_candidate()->backend, Backend::by_size);
}

TEST_F(ExchangeBySize, gathers_the_sizes_only_if_any_has_changed) {
  const auto exchange = exchange_with(0);
  const FailingMpi gathers("MPI_Allgather", FailingMpi::never);
  for (const int count : {1000, 1000, 1000, 1001, 1001, 1000}) run(*exchange, count);
  EXPECT_EQ(gathers.count(), 3U);
}

// A slow machine only makes the exchange longer, so the comparison cannot fail for that.
TEST_F(ExchangeBySize, takes_at_least_as_long_as_its_times_say) {
  if (size < 3) GTEST_SKIP() << "one message begins at once";
  constexpr double gap_seconds = 2e-3;
  const auto exchange = exchange_with(gap_seconds);
  const double start = MPI_Wtime();
  run(*exchange, 1000);
  EXPECT_GE(MPI_Wtime() - start, (size - 2) * gap_seconds) << "each process has one port";
}

TEST(UnequalBlocks, travel_by_steps_where_mpi_cannot_count_them) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto context = CommContext::on(comm.virtual_comm());
  const auto plan = AlltoallPlan::make(comm, context, setup_for(parse_candidate("MPI's own all-to-all")));
  const int rank = static_cast<int>(label(comm.rank()));
  const Side send(
      world_size(), [](int) { return 1; }, [&](int j, int k) { return number(rank, j, k); });
  const Side wanted(
      world_size(), [](int) { return 1; }, [&](int i, int k) { return number(i, rank, k); });
  for (const std::uint64_t process_bytes : {(std::uint64_t{1} << 31) - 1, std::uint64_t{1} << 31}) {
    std::vector<int> receive(wanted.numbers.size(), -1);
    Sides sides(send.numbers.data(), send.counts, send.displacements, MPI_INT, receive.data(), wanted.counts,
                wanted.displacements, MPI_INT);
    sides.require_valid(static_cast<std::size_t>(world_size()), label(comm.rank()));
    const FailingMpi calls("MPI_Alltoallv", FailingMpi::never);
    plan->run(sides, {sizeof(int), process_bytes, process_bytes});
    EXPECT_EQ(receive, wanted.numbers);
    EXPECT_EQ(calls.count(), process_bytes >> 31 == 0 ? 1U : 0U);
  }
}

/// Exchanges blocks of unequal sizes by the steps of `direct`.
class MostlyEmptyBlocks : public testing::Test, protected ExchangeWorld {
 protected:
  MostlyEmptyBlocks()
      : ExchangeWorld(ring_of_world(), "identity"),
        exchange(unequal_exchange(comm, CommContext::on(comm.virtual_comm()),
                                  {setup_for(parse_candidate("direct"))})) {}
  void SetUp() override {
    if (size < 3) GTEST_SKIP() << "a third of the blocks are none";
  }

  template <typename Count>
  void expect_exchanged(Count count) const {
    const Side send(
        size, [&](int j) { return count(rank, j); }, [&](int j, int k) { return number(rank, j, k); });
    const Side wanted(
        size, [&](int i) { return count(i, rank); }, [&](int i, int k) { return number(i, rank, k); });
    std::vector<int> receive(wanted.numbers.size(), -1);
    exchange->run({send.numbers.data(), send.counts, send.displacements, MPI_INT, receive.data(),
                   wanted.counts, wanted.displacements, MPI_INT});
    EXPECT_EQ(receive, wanted.numbers);
  }

  int next_only(int from, int to) const { return to == (from + 1) % size ? 30 : 0; }

  std::shared_ptr<Exchange> exchange;
};

TEST_F(MostlyEmptyBlocks, agree_in_every_call_of_a_power_of_two_until_a_call_that_agrees_has_others) {
  const FailingMpi agreements("MPI_Iallreduce", FailingMpi::never);
  std::vector<unsigned> with_agreement;
  for (unsigned call = 1; call <= 35; ++call) {
    const auto before = agreements.count();
    expect_exchanged([&](int i, int j) { return call < 20 ? next_only(i, j) : 1 + (i + j) % 5; });
    if (agreements.count() > before) with_agreement.push_back(call);
  }
  EXPECT_EQ(with_agreement, (std::vector<unsigned>{1, 2, 4, 8, 16, 32, 33, 34, 35}));
}

TEST_F(MostlyEmptyBlocks, are_one_message_for_each_that_is_not_empty) {
  for (int call = 0; call < 4; ++call) {
    counted_calls().reset();
    expect_exchanged([&](int i, int j) { return next_only(i, j); });
    EXPECT_EQ(counted_calls().messages, 1);
  }
}

// Process i sends to the processes behind it, and to no more than a third of all.
TEST_F(MostlyEmptyBlocks, are_as_many_messages_as_blocks_that_are_not_empty_in_calls_and_requests) {
  const auto blocks_of = [&](int process) { return process % (size / 3 + 1); };
  const auto count = [&](int from, int to) {
    const int distance = (to - from + size) % size;
    return distance >= 1 && distance <= blocks_of(from) ? 30 : 0;
  };
  const Side send(
      size, [&](int j) { return count(rank, j); }, [&](int j, int k) { return number(rank, j, k); });
  const Side wanted(
      size, [&](int i) { return count(i, rank); }, [&](int i, int k) { return number(i, rank, k); });
  for (int call = 0; call < 4; ++call) {
    counted_calls().reset();
    expect_exchanged(count);
    EXPECT_EQ(counted_calls().messages, blocks_of(rank));
  }
  std::vector<int> receive(wanted.numbers.size(), -1);
  const auto request = exchange->prepare({send.numbers.data(), send.counts, send.displacements, MPI_INT,
                                          receive.data(), wanted.counts, wanted.displacements, MPI_INT});
  for (int start = 0; start < 2; ++start) {
    counted_calls().reset();
    exchange->start(*request);
    request->wait();
    EXPECT_EQ(counted_calls().messages, blocks_of(rank));
    EXPECT_EQ(receive, wanted.numbers);
  }
}

// Processes with other ranks start later, so that nothing has arrived when rank 0 has posted.
TEST_F(MostlyEmptyBlocks, are_posted_at_once) {
  if (size < 8) GTEST_SKIP() << "the window has all steps";
  exchange =
      unequal_exchange(comm, CommContext::on(comm.virtual_comm()), {setup_for(parse_candidate("linear"))});
  const auto count = [&](int from, int to) {
    const int distance = (to - from + size) % size;
    return distance == 1 || distance == size - 1 ? 30 : 0;
  };
  const Side send(
      size, [&](int j) { return count(rank, j); }, [&](int j, int k) { return number(rank, j, k); });
  const Side wanted(
      size, [&](int i) { return count(i, rank); }, [&](int i, int k) { return number(i, rank, k); });
  std::vector<int> receive(wanted.numbers.size(), -1);
  const auto request = exchange->prepare({send.numbers.data(), send.counts, send.displacements, MPI_INT,
                                          receive.data(), wanted.counts, wanted.displacements, MPI_INT});
  counted_calls().reset();
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
  exchange->start(*request);
  if (rank == 0) {
    EXPECT_EQ(counted_calls().messages, 2);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  request->wait();
  EXPECT_EQ(receive, wanted.numbers);
}

TEST_F(MostlyEmptyBlocks, are_said_to_be_so) {
  expect_exchanged([&](int i, int j) { return next_only(i, j); });
  EXPECT_NE(exchange->explain().find("mostly empty"), std::string::npos) << exchange->explain();
  EXPECT_FALSE(exchange->is_measuring(CallKind::unequal));
}

TEST(UnequalBlocks, are_refused_by_a_method_that_passes_blocks_on) {
  if (world_size() < 4 || !world_is_a_cube()) GTEST_SKIP() << "nobody passes anything on";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto exchange = unequal_exchange(comm, CommContext::on(comm.virtual_comm()),
                                         {setup_with({ExchangeAlgorithm::cc_cube, {}}, StepSync::data)});
  const Side side(
      world_size(), [](int) { return 1; }, [](int, int) { return 0; });
  std::vector<int> receive(side.numbers.size());
  EXPECT_EQ(message_of([&] {
              exchange->run({side.numbers.data(), side.counts, side.displacements, MPI_INT, receive.data(),
                             side.counts, side.displacements, MPI_INT});
            }),
            "cc-cube passes blocks on, which blocks of unequal sizes need not fit");
}

}  // namespace
}  // namespace cubefold::mpi
