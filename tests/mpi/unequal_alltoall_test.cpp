#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "support/exchange_world.hpp"
#include "support/message_of.hpp"
#include "support/spread_type.hpp"

namespace cubefold::mpi {
namespace {

TEST(UnequalBackend, is_mpi_only_where_the_largest_block_is_above_4_times_the_mean) {
  EXPECT_EQ(unequal_backend({400, 1200, 400}, 4), Backend::schedule);  // the mean is 100
  EXPECT_EQ(unequal_backend({401, 1200, 401}, 4), Backend::mpi);
  EXPECT_EQ(unequal_backend({0, 0, 0}, 4), Backend::schedule);
  EXPECT_EQ(unequal_backend({0, 0, 7}, 1), Backend::schedule);
}

TEST(UnequalBackend, is_never_mpi_where_it_cannot_count) {
  EXPECT_EQ(unequal_backend({1u << 30, 1u << 30, 0x7fffffff}, 16), Backend::mpi);
  EXPECT_EQ(unequal_backend({1u << 30, 1u << 30, 0x80000000}, 16), Backend::schedule);
}

/// The buffer of one side of an exchange. The block for process `other` has count(other) numbers, and two unused
/// numbers follow it.
struct Side {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> numbers;

  template <typename Count, typename Number>
  Side(int size, Count count, Number value) {
    for (int other = 0; other < size; ++other) {
      counts.push_back(count(other));
      displacements.push_back(static_cast<int>(numbers.size()));
      for (int k = 0; k < counts.back(); ++k) numbers.push_back(value(other, k));
      numbers.insert(numbers.end(), 2, -1);
    }
  }
};

class UnequalAlltoallTest : public testing::TestWithParam<StepSync>, protected ExchangeWorld {
 protected:
  UnequalAlltoallTest()
      : ExchangeWorld(grids_of_world().back(), "identity"),
        context(CommContext::on(comm.virtual_comm())),
        exchange(AlltoallPlan::make(comm, context, setup())) {}

  static AlltoallSetup setup() {
    AlltoallSetup setup = setup_with({ExchangeAlgorithm::direct, {}}, GetParam());
    setup.piece_bytes = 40;
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
  std::shared_ptr<AlltoallPlan> exchange;
};

TEST_P(UnequalAlltoallTest, brings_blocks_of_sizes_near_one_another_by_its_schedule) {
  expect_exchanged([](int i, int j) { return 10 + (3 * i + 5 * j) % 7; });
  EXPECT_EQ(exchange->explain_unequal().find("the schedule the last time"), 0u)
      << exchange->explain_unequal();
}

TEST_P(UnequalAlltoallTest, brings_blocks_some_of_which_are_empty) {
  expect_exchanged([](int i, int j) { return (i + j) % 2 == 0 ? 25 : 0; });
  expect_exchanged([](int, int) { return 0; });
}

TEST_P(UnequalAlltoallTest, brings_what_a_process_has_for_itself_however_long_it_is) {
  expect_exchanged([](int i, int j) { return i == j ? 1000 : 1; });
}

TEST_P(UnequalAlltoallTest, leaves_very_unequal_blocks_to_the_library_and_says_so) {
  expect_exchanged([](int i, int j) { return i == 0 && j == 1 ? 900 : 1; });
  EXPECT_EQ(exchange->explain_unequal().find("MPI_Alltoallv the last time") == 0u, size > 2)
      << exchange->explain_unequal();
}

TEST_P(UnequalAlltoallTest, first_ends_what_is_under_way) {
  const auto equal = AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::direct, {}}});
  const auto send = sent_by(rank, size, 3);
  std::vector<int> receive(send.size());
  auto request = equal->start({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  if (rank % 2 == 0) request->wait();
  expect_exchanged([](int i, int j) { return i == 0 && j == 1 ? 900 : 1; });
  if (rank % 2 == 1) request->wait();
  EXPECT_EQ(receive, received_by(rank, size, 3));
}

TEST_P(UnequalAlltoallTest, works_in_place_where_sizes_are_the_same_both_ways) {
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

TEST_P(UnequalAlltoallTest, takes_types_with_gaps_and_displacements_in_any_order) {
  const SpreadType pair(2);
  for (const int longest : {1, 200}) {
    const auto pairs = [&](int i, int j) { return i == 0 && j == 1 ? longest : 1 + (i + j) % 2; };
    std::vector<int> send_counts;
    std::vector<int> receive_counts;
    for (int other = 0; other < size; ++other) {
      send_counts.push_back(pairs(rank, other));
      receive_counts.push_back(pairs(other, rank));
    }
    constexpr int room = 200;
    std::vector<int> places;
    for (int other = 0; other < size; ++other) places.push_back((size - 1 - other) * room);
    std::vector<int> send(static_cast<std::size_t>(size) * room * 4, -2);
    std::vector<int> receive(send.size(), -2);
    auto wanted = receive;
    const auto at = [&](int other, int k) {
      return static_cast<std::size_t>(4 * places[static_cast<std::size_t>(other)] + 2 * k);
    };
    for (int other = 0; other < size; ++other) {
      for (int k = 0; k < 2 * pairs(rank, other); ++k) send[at(other, k)] = number(rank, other, k);
      for (int k = 0; k < 2 * pairs(other, rank); ++k) wanted[at(other, k)] = number(other, rank, k);
    }
    exchange->run(
        {send.data(), send_counts, places, pair.get(), receive.data(), receive_counts, places, pair.get()});
    EXPECT_EQ(receive, wanted);
  }
}

TEST_P(UnequalAlltoallTest, names_what_is_wrong_with_its_arguments) {
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

INSTANTIATE_TEST_SUITE_P(StepSyncs, UnequalAlltoallTest,
                         testing::Values(StepSync::data, StepSync::clock, StepSync::tokens,
                                         StepSync::barriers));

TEST(UnequalBlocks, are_refused_by_a_method_that_passes_blocks_on) {
  if (world_size() < 4 || !world_is_a_cube()) GTEST_SKIP() << "nobody passes anything on";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::cc_cube, {}}});
  const std::vector<int> counts(static_cast<std::size_t>(world_size()), 1);
  std::vector<int> buffer(counts.size());
  EXPECT_EQ(message_of([&] {
              exchange->run({buffer.data(), counts, counts, MPI_INT, buffer.data(), counts, counts, MPI_INT});
            }),
            "cc-cube passes blocks on, which blocks of unequal sizes need not fit");
}

}  // namespace
}  // namespace cubefold::mpi
