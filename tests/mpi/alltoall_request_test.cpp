#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "support/exchange_world.hpp"
#include "support/message_of.hpp"
#include "support/spread_type.hpp"

namespace cubefold::mpi {
namespace {

class AlltoallRequestTest : public testing::TestWithParam<StepSync>, protected ExchangeWorld {
 protected:
  AlltoallRequestTest()
      : ExchangeWorld(grids_of_world().back(), "identity"),
        exchange(AlltoallPlan::make(comm, setup_with(method(), GetParam()))) {}

  static ExchangeMethod method() {
    return {world_is_a_cube() ? ExchangeAlgorithm::cc_cube : ExchangeAlgorithm::axis_rotated, {}};
  }

  std::shared_ptr<AlltoallPlan> exchange;
};

TEST_P(AlltoallRequestTest, is_over_after_enough_tests) {
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  auto request = exchange->start({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  EXPECT_TRUE(request->is_running());
  while (!request->test()) {
  }
  EXPECT_FALSE(request->is_running());
  EXPECT_EQ(receive, expected(3));
}

TEST_P(AlltoallRequestTest, may_be_waited_for_in_another_order_on_every_process) {
  constexpr int request_count = 6;
  std::vector<std::vector<int>> sends;
  std::vector<std::vector<int>> receives;
  std::vector<std::unique_ptr<AlltoallRequest>> requests;
  std::vector<int> order;
  for (int i = 0; i < request_count; ++i) {
    sends.push_back(sent(1 + 40 * i));
    receives.emplace_back(sends.back().size());
    requests.push_back(exchange->start(
        {sends.back().data(), 1 + 40 * i, MPI_INT, receives.back().data(), 1 + 40 * i, MPI_INT}));
    order.push_back(i);
  }
  std::rotate(order.begin(), order.begin() + rank % request_count, order.end());
  if (rank % 2 == 1) std::reverse(order.begin(), order.end());
  for (const int i : order) requests[static_cast<std::size_t>(i)]->wait();
  for (int i = 0; i < request_count; ++i)
    EXPECT_EQ(receives[static_cast<std::size_t>(i)], expected(1 + 40 * i)) << i;
}

TEST_P(AlltoallRequestTest, goes_on_while_another_exchange_blocks) {
  const auto send = sent(5);
  std::vector<int> receive(send.size());
  std::vector<int> blocking(send.size());
  auto request = exchange->start({send.data(), 5, MPI_INT, receive.data(), 5, MPI_INT});
  if (rank % 2 == 0) request->wait();
  exchange->run({send.data(), 5, MPI_INT, blocking.data(), 5, MPI_INT});
  if (rank % 2 == 1) request->wait();
  EXPECT_EQ(receive, expected(5));
  EXPECT_EQ(blocking, expected(5));
}

TEST_P(AlltoallRequestTest, sends_what_its_buffer_has_at_every_start) {
  std::vector<int> send(static_cast<std::size_t>(size) * 2);
  std::vector<int> receive(send.size());
  auto request = exchange->prepare({send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT});
  for (int run = 0; run < 5; ++run) {
    const auto later = [&](int value) { return value + 7 * run; };
    const auto now = sent(2);
    std::transform(now.begin(), now.end(), send.begin(), later);
    request->start();
    request->wait();
    auto numbers = expected(2);
    std::transform(numbers.begin(), numbers.end(), numbers.begin(), later);
    EXPECT_EQ(receive, numbers);
  }
}

TEST_P(AlltoallRequestTest, works_in_place_on_types_with_gaps_that_are_freed_meanwhile) {
  auto buffer = spread_out(sent(3));
  std::unique_ptr<AlltoallRequest> request;
  {
    const SpreadType type(3);
    request = exchange->prepare({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 1, type.get()});
  }
  request->start();
  request->wait();
  EXPECT_EQ(buffer, spread_out(expected(3)));
  request->start();
  request->wait();
  EXPECT_EQ(buffer, spread_out(sent(3)));
}

TEST_P(AlltoallRequestTest, works_between_buffers_of_one_type_with_gaps_that_is_freed_meanwhile) {
  const auto send = spread_out(sent(3));
  std::vector<int> receive(send.size(), -2);
  std::unique_ptr<AlltoallRequest> request;
  {
    const SpreadType type(3);
    request = exchange->prepare({send.data(), 1, type.get(), receive.data(), 1, type.get()});
  }
  request->start();
  request->wait();
  EXPECT_EQ(receive, spread_out(expected(3)));
}

TEST_P(AlltoallRequestTest, converts_between_unlike_layouts_of_equal_signature) {
  const SpreadType type(2);
  const auto send = sent(2);
  std::vector<int> receive(2 * send.size(), -2);
  exchange->start({send.data(), 2, MPI_INT, receive.data(), 1, type.get()})->wait();
  EXPECT_EQ(receive, spread_out(expected(2)));
  std::vector<int> packed(send.size());
  const auto spread = spread_out(send);
  exchange->start({spread.data(), 1, type.get(), packed.data(), 2, MPI_INT})->wait();
  EXPECT_EQ(packed, expected(2));
}

TEST_P(AlltoallRequestTest, does_nothing_for_counts_of_0) {
  std::vector<int> receive(static_cast<std::size_t>(size), 7);
  exchange->start({nullptr, 0, MPI_INT, receive.data(), 0, MPI_INT})->wait();
  EXPECT_EQ(receive, std::vector<int>(static_cast<std::size_t>(size), 7));
}

TEST_P(AlltoallRequestTest, names_its_misuse) {
  std::vector<int> buffer(static_cast<std::size_t>(size));
  auto request = exchange->prepare({MPI_IN_PLACE, 0, MPI_INT, buffer.data(), 1, MPI_INT});
  EXPECT_EQ(message_of([&] { request->wait(); }), "the exchange has not been started");
  EXPECT_EQ(message_of([&] { request->test(); }), "the exchange has not been started");
  request->start();
  EXPECT_EQ(message_of([&] { request->start(); }),
            "the exchange is under way; wait for it before it is started again");
  request->wait();
}

TEST_P(AlltoallRequestTest, names_what_is_wrong_with_its_arguments) {
  std::vector<int> buffer(static_cast<std::size_t>(size));
  EXPECT_EQ(message_of([&] {
              exchange->prepare({buffer.data(), 1, MPI_SHORT, buffer.data(), 1, MPI_INT});
            }),
            "blocks of 2 bytes are sent but blocks of 4 bytes received");
}

INSTANTIATE_TEST_SUITE_P(StepSyncs, AlltoallRequestTest, testing::Values(StepSync::data, StepSync::clock));

/// Returns a setup in which an exchange of long blocks posts one receive at a time. Its messages can then arrive while
/// only another exchange has posted a receive.
AlltoallSetup one_receive_at_a_time() {
  return {.method = {ExchangeAlgorithm::direct, {}}, .bytes_in_flight = 1};
}

// Tags are reused after 10922 exchanges. Messages of an exchange with the reused tags must not match receives of a
// request that was prepared before.
TEST(CommContext, keeps_a_prepared_exchange_apart_from_all_later_ones) {
  if (world_size() > 5) GTEST_SKIP() << "ten thousand exchanges of 5 processes are enough";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto context = CommContext::on(comm.virtual_comm());
  const auto slow = AlltoallPlan::make(comm, context, one_receive_at_a_time());
  const auto exchange = AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::direct, {}}});
  const int rank = world_rank();
  const auto send = sent_by(rank, world_size(), 100);
  const auto few = sent_by(rank, world_size(), 1);
  std::vector<int> receive(send.size());
  std::vector<int> other(few.size());
  auto prepared = slow->prepare({send.data(), 100, MPI_INT, receive.data(), 100, MPI_INT});
  for (int i = 0; i < 10'921; ++i) exchange->run({few.data(), 1, MPI_INT, other.data(), 1, MPI_INT});
  for (int i = 0; i < 3; ++i) {
    std::fill(receive.begin(), receive.end(), -1);
    std::fill(other.begin(), other.end(), -1);
    prepared->start();
    auto request = exchange->start({few.data(), 1, MPI_INT, other.data(), 1, MPI_INT});
    request->wait();
    prepared->wait();
    EXPECT_EQ(receive, received_by(rank, world_size(), 100));
    EXPECT_EQ(other, received_by(rank, world_size(), 1));
  }
}

TEST(CommContext, keeps_more_exchanges_apart_than_it_has_tags_for) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto context = CommContext::on(comm.virtual_comm(), 5);  // tags for two exchanges
  const auto slow = AlltoallPlan::make(comm, context, one_receive_at_a_time());
  const auto exchange = AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::direct, {}}});
  const int rank = world_rank();
  std::vector<std::vector<int>> sends;
  std::vector<std::vector<int>> receives;
  std::vector<std::unique_ptr<AlltoallRequest>> requests;
  for (int count = 9; count > 0; --count) {
    sends.push_back(sent_by(rank, world_size(), count));
    receives.emplace_back(sends.back().size());
    requests.push_back(
        (count % 3 == 0 ? slow : exchange)
            ->start({sends.back().data(), count, MPI_INT, receives.back().data(), count, MPI_INT}));
  }
  if (rank % 2 == 1) std::reverse(requests.begin(), requests.end());
  for (const auto& request : requests) request->wait();
  for (int count = 9; count > 0; --count)
    EXPECT_EQ(receives[static_cast<std::size_t>(9 - count)], received_by(rank, world_size(), count));
}

// The context has tags for two exchanges only. The messages of some methods matched those of a request under way when
// tags were reused too early.
TEST(CommContext, keeps_a_prepared_exchange_apart_by_every_method) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const int rank = world_rank();
  const auto few = sent_by(rank, world_size(), 1);
  std::vector<int> other(few.size());
  for (const ExchangeMethod& method : compared_methods(comm.grid())) {
    const auto context = CommContext::on(comm.virtual_comm(), 5);
    const auto exchange = AlltoallPlan::make(comm, context, {.method = method});
    const auto send = sent_by(rank, world_size(), 100);
    std::vector<int> receive(send.size(), -1);
    auto prepared = exchange->prepare({send.data(), 100, MPI_INT, receive.data(), 100, MPI_INT});
    prepared->start();
    for (int i = 0; i < 20; ++i) {
      std::fill(other.begin(), other.end(), -1);
      exchange->run({few.data(), 1, MPI_INT, other.data(), 1, MPI_INT});
      EXPECT_EQ(other, received_by(rank, world_size(), 1)) << to_string(method);
    }
    prepared->wait();
    EXPECT_EQ(receive, received_by(rank, world_size(), 100)) << to_string(method);
  }
}

TEST(CommContext, serves_several_setups_at_once) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  auto context = CommContext::on(comm.virtual_comm());
  const auto one = AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::direct, {}}});
  const auto other =
      AlltoallPlan::make(comm, context, {.method = {ExchangeAlgorithm::axes, {}}, .sync = StepSync::clock});
  const int rank = world_rank();
  const auto send = sent_by(rank, world_size(), 4);
  std::vector<int> first(send.size());
  std::vector<int> second(send.size());
  auto a = one->start({send.data(), 4, MPI_INT, first.data(), 4, MPI_INT});
  auto b = other->start({send.data(), 4, MPI_INT, second.data(), 4, MPI_INT});
  (rank % 2 == 0 ? a : b)->wait();
  (rank % 2 == 0 ? b : a)->wait();
  EXPECT_EQ(first, received_by(rank, world_size(), 4));
  EXPECT_EQ(second, received_by(rank, world_size(), 4));
}

}  // namespace
}  // namespace cubefold::mpi
