// The calls of a program decide between candidates, on the clock of SlowNetwork.

#include <algorithm>

#include "cubefold/cubefold.h"
#include "mpi/alltoall_request.hpp"
#include "support/message_of.hpp"
#include "support/tuned_world.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

TEST_F(MeasuredExchange, takes_mpis_own_exchange_where_that_is_the_fastest) {
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  const Tuner& calls = measured(plans, 12);
  EXPECT_TRUE(calls.is_decided());
  for (std::size_t other = 1; other < calls.candidates().size(); ++other)
    EXPECT_TRUE(calls.tuning().is_left_out(other)) << other;
  EXPECT_EQ(plans.for_blocks(12)->plan_in_use().setup().backend, Backend::mpi);
}

TEST_F(MeasuredExchange, takes_a_schedule_where_mpis_own_exchange_is_slower) {
  SlowNetwork::alltoall_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  const Tuner& calls = measured(plans, 12);
  EXPECT_TRUE(calls.is_decided());
  EXPECT_TRUE(calls.tuning().median_seconds(0)) << "MPI's own all-to-all is not measured";
  EXPECT_EQ(plans.for_blocks(12)->plan_in_use().setup().backend, Backend::schedule);
}

// A process of p sends 16 KiB in blocks of 16 KiB / (p - 1), which is where the planner's rule takes the clock.
TEST_F(MeasuredExchange, exchanges_by_direct_with_both_synchronisations_where_the_rule_may_be_wrong) {
  if (size < 4) GTEST_SKIP() << "so few processes have faster methods than direct";
  Machine machine{comm.grid()};
  machine.alpha_seconds = 1e-7;
  machine.gap_seconds = 1e-7;
  machine.tau_seconds_per_byte = {1e-7};
  machine.host_count = static_cast<std::size_t>(size);
  const int near = (16 << 10) / (size - 1) / static_cast<int>(sizeof(int));
  for (const auto& [count, other] :
       {std::pair(near / 2, StepSync::clock), std::pair(2 * near, StepSync::data)}) {
    PlanCache plans(comm, machine);
    const auto& candidates = measured(plans, sizeof(int) * static_cast<std::size_t>(count)).candidates();
    EXPECT_TRUE(std::ranges::any_of(candidates, [other = other](const auto& each) {
      return each.sync == other;
    })) << count;
    for (int call = 0; call < 60; ++call) EXPECT_EQ(exchanged(plans, count), expected(count));
  }
}

TEST_F(MeasuredExchange, leaves_out_linear_if_the_machine_file_says_that_it_takes_long) {
  const Variable trials("CUBEFOLD_TRIALS", "3");
  SlowNetwork::alltoall_seconds = 1;
  Machine machine{comm.grid()};
  machine.host_count = static_cast<std::size_t>(size);
  machine.plain_exchanges = {{12, 1, 3}};
  PlanCache plans(comm, machine);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const Tuner& calls = measured(plans, 12);
  EXPECT_EQ(calls.candidates()[1].method, (ExchangeMethod{ExchangeAlgorithm::linear, {}}));
  EXPECT_TRUE(calls.tuning().is_left_out(1));
}

TEST_F(MeasuredExchange, says_that_it_measures) {
  PlanCache plans(comm);
  const auto begin_of_text = [&] { return plans.explain(12).substr(0, plans.explain(12).find("\nunequal")); };
  EXPECT_EQ(begin_of_text(),
            "blocks of 12 bytes: measuring; the next call uses MPI's own all-to-all\n"
            "requests and packets: measuring; the next call uses linear");
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_EQ(begin_of_text(),
            "blocks of 12 bytes: measuring; the next call uses linear (blocks of 12 bytes)\n"
            "requests and packets: measuring; the next call uses linear");
}

TEST_F(MeasuredExchange, agrees_on_one_candidate_where_the_clocks_of_processes_differ) {
  SlowNetwork::message_seconds = rank == 0 ? 1e-3 : 0;
  SlowNetwork::alltoall_seconds = rank == 1 ? 0.02 : 0;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  const std::string chosen = std::to_string(measured(plans, 12).best());
  EXPECT_NO_THROW(require_equal_everywhere(comm.virtual_comm(), "candidate", chosen));
}

TEST_F(MeasuredExchange, measures_one_of_the_sizes_between_two_powers_of_two_for_all_of_them) {
  PlanCache plans(comm);
  for (int call = 0; call < enough_calls; ++call) {
    ASSERT_EQ(exchanged(plans, 5), expected(5));
    ASSERT_EQ(exchanged(plans, 7), expected(7));
  }
  for (const std::size_t bytes : {20U, 28U}) {
    EXPECT_TRUE(measured(plans, bytes).is_decided());
    EXPECT_EQ(measured(plans, bytes).measured_bytes(), 20U);
  }
  EXPECT_EQ(plans.for_blocks(20)->plan_in_use().setup().method,
            plans.for_blocks(28)->plan_in_use().setup().method);
  EXPECT_TRUE(begins_with_mpi(measured(plans, 32)));
}

TEST_F(MeasuredExchange, measures_another_size_if_the_first_does_not_come_again) {
  PlanCache plans(comm);
  plans.for_blocks(16);
  EXPECT_EQ(exchanged(plans, 5), expected(5));
  for (int call = 0; call < enough_calls; ++call) ASSERT_EQ(exchanged(plans, 7), expected(7));
  EXPECT_TRUE(measured(plans, 28).is_decided());
  EXPECT_EQ(measured(plans, 28).measured_bytes(), 28U);
}

TEST_F(MeasuredExchange, measures_persistent_requests_and_never_lets_mpi_move_them) {
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  const auto exchange = plans.for_blocks(12);
  const auto request = exchange->prepare({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  for (int call = 0; call < enough_calls; ++call) {
    std::fill(receive.begin(), receive.end(), 0);
    exchange->start(*request);
    request->wait();
    ASSERT_EQ(receive, expected(3)) << call;
  }
  EXPECT_TRUE(begins_with_mpi(measured(plans, 12)));
  const Tuner& requests = measured(plans, 12, CallKind::overlapped);
  EXPECT_TRUE(requests.is_decided());
  for (const AlltoallCandidate& candidate : requests.candidates()) EXPECT_TRUE(candidate.method);
}

// Process 0 has started both exchanges when it waits for the first one, and the others have not: only the first
// exchanges of each size make all processes meet.
TEST_F(MeasuredExchange, lets_requests_of_different_sizes_overlap_while_they_are_measured) {
  PlanCache plans(comm);
  const auto few = sent(1);
  const auto many = sent(16);
  std::vector<int> first(few.size());
  std::vector<int> second(many.size());
  const auto a = plans.for_blocks(4)->prepare({few.data(), 1, MPI_INT, first.data(), 1, MPI_INT});
  const auto b = plans.for_blocks(64)->prepare({many.data(), 16, MPI_INT, second.data(), 16, MPI_INT});
  for (int call = 0; call < enough_calls; ++call) {
    plans.for_blocks(4)->start(*a);
    if (rank != 0) a->wait();
    plans.for_blocks(64)->start(*b);
    if (rank == 0) a->wait();
    b->wait();
    if (call % 3 == 0) measured(plans, 64);
    ASSERT_EQ(first, expected(1)) << call;
    ASSERT_EQ(second, expected(16)) << call;
  }
}

TEST_F(MeasuredExchange, measures_requests_that_are_waited_for_in_different_orders) {
  PlanCache plans(comm);
  const auto send = sent(3);
  std::vector<int> first(send.size());
  std::vector<int> second(send.size());
  for (int call = 0; call < enough_calls; ++call) {
    const auto exchange = plans.for_blocks(12);
    const auto a = exchange->prepare({send.data(), 3, MPI_INT, first.data(), 3, MPI_INT});
    const auto b = exchange->prepare({send.data(), 3, MPI_INT, second.data(), 3, MPI_INT});
    exchange->start(*a);
    exchange->start(*b);
    (rank % 2 == 0 ? a : b)->wait();
    (rank % 2 == 0 ? b : a)->wait();
    ASSERT_EQ(first, expected(3)) << call;
    ASSERT_EQ(second, expected(3)) << call;
  }
  EXPECT_TRUE(measured(plans, 12, CallKind::overlapped).is_decided());
}

TEST_F(MeasuredExchange, measures_packets) {
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(12);
  EXPECT_TRUE(exchange->suits_packets());
  int wrong = 0;
  const PacketCalls calls{
      [&](Rank to, std::size_t, std::span<std::byte> packet) {
        std::ranges::fill(packet, static_cast<std::byte>(16 * rank + static_cast<int>(label(to))));
      },
      [&](Rank from, std::size_t, std::span<const std::byte> packet) {
        const auto right = static_cast<std::byte>(16 * static_cast<int>(label(from)) + rank);
        for (const std::byte each : packet) wrong += each == right ? 0 : 1;
      }};
  for (int call = 0; call < enough_calls; ++call) exchange->run_packets(calls);
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(measured(plans, 12, CallKind::overlapped).is_decided());
}

TEST_F(MeasuredExchange, does_without_packets_where_mpis_own_exchange_is_known_to_be_the_fastest) {
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  EXPECT_FALSE(plans.for_blocks(12)->suits_packets());
  EXPECT_FALSE(plans.for_blocks(8)->suits_packets()) << "a size of the same bit width";
}

TEST_F(MeasuredExchange, measures_whether_mpi_or_the_schedule_exchanges_unequal_blocks_faster) {
  const std::vector<int> counts(static_cast<std::size_t>(size), 3);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(3 * i);
  const auto send = sent(3);
  for (const double seconds : {0.0, 1.0}) {
    SlowNetwork::message_seconds = seconds;
    SlowNetwork::alltoall_seconds = 0.5 - seconds / 2;
    PlanCache plans(comm);
    std::vector<int> receive(send.size());
    for (int call = 0; call < enough_calls; ++call) {
      std::fill(receive.begin(), receive.end(), 0);
      plans.for_blocks(std::nullopt)
          ->run({send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
      ASSERT_EQ(receive, expected(3));
    }
    EXPECT_EQ(plans.for_blocks(std::nullopt)->last_candidate()->backend == Backend::mpi, seconds > 0);
    EXPECT_FALSE(plans.for_blocks(std::nullopt)->is_measuring(CallKind::unequal));
  }
}

// Rank 0 sends 40 numbers to everybody, and the others send one or none.
TEST_F(MeasuredExchange, brings_blocks_of_very_different_sizes_in_all_ways) {
  const auto count = [](int source, int destination) {
    return source == 0 ? 40 : (source + destination) % 2;
  };
  std::vector<int> send_counts;
  std::vector<int> receive_counts;
  std::vector<int> send_places;
  std::vector<int> receive_places;
  std::vector<int> send;
  std::vector<int> expected;
  for (int other = 0; other < size; ++other) {
    send_places.push_back(static_cast<int>(send.size()));
    receive_places.push_back(static_cast<int>(expected.size()));
    send_counts.push_back(count(rank, other));
    receive_counts.push_back(count(other, rank));
    for (int k = 0; k < send_counts.back(); ++k) send.push_back(number(rank, other, k));
    for (int k = 0; k < receive_counts.back(); ++k) expected.push_back(number(other, rank, k));
  }
  send.push_back(0);  // so that no buffer is null
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(std::nullopt);
  for (int call = 0; call < enough_calls; ++call) {
    std::vector<int> receive(expected.size());
    exchange->run({send.data(), send_counts, send_places, MPI_INT, receive.data(), receive_counts,
                   receive_places, MPI_INT});
    ASSERT_EQ(receive, expected) << call;
  }
  EXPECT_FALSE(exchange->is_measuring(CallKind::unequal));
}

TEST_F(MeasuredExchange, goes_on_after_sizes_that_differ) {
  const Variable checked("CUBEFOLD_CHECK", "1");
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(12);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  const int count = rank == 0 ? 2 : 3;
  EXPECT_NE(message_of([&] {
              exchange->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
            }),
            "nothing thrown");
  EXPECT_TRUE(begins_with_mpi(measured(plans, 12))) << "the call that failed counts";
  exchange_until_chosen(plans);
  EXPECT_TRUE(measured(plans, 12).is_decided());
}

/// Makes calls of which the last one fails on one process alone, and expects an error of that call on all processes.
class MeasuredFailure : public MeasuredExchange {
 protected:
  void SetUp() override {
    MeasuredExchange::SetUp();
    ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, to_string(comm.grid()).c_str(), "identity", &handle),
              CUBEFOLD_SUCCESS);
  }
  void TearDown() override { cubefold_comm_free(&handle); }

  int exchange(int count, MPI_Datatype type = MPI_INT) {
    return cubefold_alltoall(send.data(), count, type, receive.data(), count, type, handle);
  }

  /// Exchanges blocks, with a null type on the last process.
  void expect_failure(int count) {
    EXPECT_EQ(exchange(count, is_odd ? MPI_DATATYPE_NULL : MPI_INT), CUBEFOLD_ERROR_ARGUMENT);
    EXPECT_NE(exchange(count), CUBEFOLD_SUCCESS);
  }

  cubefold_comm handle = nullptr;
  const bool is_odd = world_rank() == size - 1;
  const std::vector<int> send = sent(7);
  std::vector<int> receive = std::vector<int>(send.size());
};

TEST_F(MeasuredFailure, before_an_agreement_on_the_last_call_leaves_no_process_waiting) {
  EXPECT_EQ(exchange(3), CUBEFOLD_SUCCESS) << cubefold_last_error();
  expect_failure(3);
}

TEST_F(MeasuredFailure, after_an_explanation_leaves_no_process_waiting) {
  EXPECT_EQ(exchange(3), CUBEFOLD_SUCCESS) << cubefold_last_error();
  const char* text = nullptr;
  const int code = cubefold_explain(handle, 12, &text);
  // The process that fails next may be so far ahead that the others hear of it in this call.
  EXPECT_TRUE(code == CUBEFOLD_SUCCESS || (code == CUBEFOLD_ERROR_ARGUMENT && !is_odd))
      << cubefold_last_error();
  expect_failure(3);
}

TEST_F(MeasuredFailure, after_a_call_with_another_size_leaves_no_process_waiting) {
  EXPECT_EQ(exchange(5), CUBEFOLD_SUCCESS) << cubefold_last_error();
  EXPECT_EQ(exchange(7), CUBEFOLD_SUCCESS) << cubefold_last_error();
  expect_failure(5);
}

TEST_F(MeasuredFailure, of_a_first_request_leaves_no_process_waiting) {
  cubefold_request request = nullptr;
  int code =
      cubefold_ialltoall(send.data(), is_odd ? 2 : 3, MPI_INT, receive.data(), 3, MPI_INT, handle, &request);
  if (code == CUBEFOLD_SUCCESS) code = cubefold_wait(&request);
  EXPECT_EQ(code, CUBEFOLD_ERROR_ARGUMENT) << cubefold_last_error();
}

}  // namespace
}  // namespace cubefold::mpi
