// CUBEFOLD_TIMEOUT ends the waits of processes for one that does not come.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "cubefold/cubefold.h"
#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "mpi/node_groups.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_on_one.hpp"
#include "support/unequal_exchange.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

constexpr const char* variable = "CUBEFOLD_TIMEOUT";
constexpr const char* short_limit = "0.2";
constexpr const char* long_limit = "100000";

bool is_missing() {
  return world_rank() == world_size() - 1;
}

/// Returns the failure of work(), which the last process does not do. The others fail, because they wait for it.
Failure failure_without_last(const std::function<void()>& work) {
  Failure failure;
  if (!is_missing()) failure = failure_of(work).value_or(Failure{});
  MPI_Barrier(MPI_COMM_WORLD);
  return failure;
}

/// Waits until this process knows of the timeout. Before that it must not free the communicator, because messages to it
/// may still be under way, which Open MPI would take for messages on the next one.
void hear_timeout(CommContext& context) {
  while (!context.has_timed_out()) {
  }
}

/// Expects a timeout. With two processes it is known who waits for whom; of several, one may wait for another that has
/// not yet heard of the timeout.
void expect_timeout(const Failure& failure, const std::string& step) {
  if (is_missing()) return;
  EXPECT_EQ(failure.status, Status::timeout) << failure.text;
  EXPECT_NE(failure.text.find(" waited 0.2 s for "), std::string::npos) << failure.text;
  if (world_size() > 2) return;
  EXPECT_EQ(failure.text, "rank 0 waited 0.2 s for rank 1 of MPI_COMM_WORLD" + step);
}

struct TimedOut {
  const char* method;
  StepSync sync;
  Backend backend;
  const char* step;
};

class Timeouts : public testing::TestWithParam<TimedOut>, protected ExchangeWorld {
 protected:
  Timeouts() : ExchangeWorld(ring_of_world(), "identity") {}

  std::shared_ptr<AlltoallPlan> made(const char* limit) const {
    const Variable given(variable, limit);
    AlltoallSetup setup = setup_with(parse_exchange_method(GetParam().method), GetParam().sync);
    setup.backend = GetParam().backend;
    return AlltoallPlan::make(comm, setup);
  }

  Sides buffers() { return {send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT}; }

  const std::vector<int> send = sent(4);
  std::vector<int> receive = std::vector<int>(send.size(), -2);
};

TEST_P(Timeouts, say_for_which_rank_an_exchange_waits_and_end_all_later_ones) {
  const auto plan = made(short_limit);
  const auto failure = failure_without_last([&] { plan->run(buffers()); });
  expect_timeout(failure, GetParam().step);
  hear_timeout(plan->context());
  const auto later = failure_without_last([&] { plan->run(buffers()); });
  if (is_missing()) return;
  EXPECT_EQ(later.status, Status::timeout);
  EXPECT_EQ(later.text, earlier + failure.text);
}

TEST_P(Timeouts, change_nothing_for_a_process_that_is_late) {
  const auto plan = made(long_limit);
  if (is_missing()) {
    for (int other = 0; other < size - 1; ++other)
      MPI_Recv(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(nullptr, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
  }
  plan->run(buffers());
  EXPECT_EQ(receive, expected(4));
}

const TimedOut hows[] = {
    {"direct", StepSync::data, Backend::schedule, " in step 1 of 1 (direct)"},
    {"direct", StepSync::clock, Backend::schedule, " in the barrier before step 1 of 1 (direct)"},
    {"bruck:2", StepSync::data, Backend::schedule, " in step 1 of 1 (bruck:2)"},
    {"direct", StepSync::data, Backend::mpi, " before a collective call of MPI"},
};
INSTANTIATE_TEST_SUITE_P(Methods, Timeouts, testing::ValuesIn(hows), [](const auto& how) {
  const std::string method = how.param.method;
  return method.substr(0, method.find(':')) + "_" + std::string(to_string(how.param.sync)) +
         (how.param.backend == Backend::mpi ? "_mpi" : "");
});

class OtherTimeouts : public testing::Test, protected ExchangeWorld {
 protected:
  OtherTimeouts() : ExchangeWorld(ring_of_world(), "identity") {}

  Variable limit{variable, short_limit};
};

TEST_F(OtherTimeouts, end_a_request) {
  const auto plan = AlltoallPlan::make(comm, setup_with({ExchangeAlgorithm::direct, {}}, StepSync::data));
  const auto send = sent(4);
  std::vector<int> receive(send.size());
  const auto failure = failure_without_last([&] {
    const auto request = plan->start({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT});
    EXPECT_FALSE(request->test());
    request->wait();
  });
  expect_timeout(failure, " in step 1 of 1 (direct)");
  hear_timeout(plan->context());
}

TEST_F(OtherTimeouts, end_exchanges_that_are_completed_before_another_call) {
  const auto context = CommContext::on(comm.virtual_comm());
  const auto plan =
      AlltoallPlan::make(comm, context, setup_with({ExchangeAlgorithm::direct, {}}, StepSync::data));
  const auto send = sent(4);
  std::vector<int> receive(send.size());
  const auto failure = failure_without_last([&] {
    const auto request = plan->start({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT});
    EXPECT_EQ(failure_of([&] { context->largest(0); }).value_or(Failure{}).status, Status::timeout);
    request->wait();
  });
  expect_timeout(failure, " in step 1 of 1 (direct)");
  hear_timeout(plan->context());
}

TEST_F(OtherTimeouts, end_exchanges_of_unequal_blocks) {
  const auto context = CommContext::on(comm.virtual_comm());
  const auto exchange =
      unequal_exchange(comm, context, {setup_with({ExchangeAlgorithm::direct, {}}, StepSync::data)});
  const std::vector<int> counts(static_cast<std::size_t>(size));
  const auto failure = failure_without_last([&] {
    exchange->run({nullptr, counts, counts, MPI_INT, nullptr, counts, counts, MPI_INT});
  });
  expect_timeout(failure, " before a collective call of MPI");
  hear_timeout(*context);
}

TEST_F(OtherTimeouts, end_exchanges_of_several_datatypes_with_and_without_an_agreement) {
  const std::vector<int> counts(static_cast<std::size_t>(size), 1);
  const std::vector<int> places(counts.size());
  const std::vector<MPI_Datatype> types(counts.size(), MPI_INT);
  const std::vector<int> send(1);
  for (const int good_calls : {0, 2}) {
    const auto context = CommContext::on(comm.virtual_comm());
    const auto exchange =
        unequal_exchange(comm, context, {setup_with({ExchangeAlgorithm::direct, {}}, StepSync::data)},
                         nullptr, CallKind::typed);
    std::vector<int> receive(1);
    const auto run = [&] {
      exchange->run({send.data(), counts, places, types, receive.data(), counts, places, types});
    };
    for (int call = 0; call < good_calls; ++call) run();
    const auto failure = failure_without_last(run);
    expect_timeout(failure,
                   good_calls == 0 ? " before a collective call of MPI" : " in step 1 of 1 (direct)");
    hear_timeout(*context);
  }
}

TEST_F(OtherTimeouts, end_swaps_and_agreements) {
  const auto context = CommContext::on(comm.virtual_comm());
  const int peer = (rank + 1) % size;
  std::array<int, 2> data{};
  const auto failure = failure_without_last(
      [&] { context->try_with_swaps([&] { context->swap(data.data(), &data[1], sizeof(int), peer); }); });
  expect_timeout(failure, " in a swap");
  hear_timeout(*context);
  const auto other = CommContext::on(comm.virtual_comm());
  expect_timeout(failure_without_last([&] { other->try_with_swaps([] {}); }),
                 " before a collective call of MPI");
  hear_timeout(*other);
}

TEST_F(OtherTimeouts, end_cc_cube_algorithms) {
  if (!world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two";
  CcCubeAlgorithm algorithm(comm, {0}, {.packet_count = 2});
  StageCallBacks calls;
  calls.bytes = [](const StagePacket&) { return std::size_t{8}; };
  calls.produce = [](const StagePacket&, std::span<std::byte>) {};
  calls.consume = [](const StagePacket&, std::span<const std::byte>) {};
  const auto failure = failure_without_last([&] { algorithm.run(calls); });
  if (!is_missing()) {
    EXPECT_EQ(failure.status, Status::timeout) << failure.text;
  }
  if (!is_missing() && size == 2) {
    EXPECT_EQ(failure.text,
              "stage 0 (dimension 0), packet 0 of 2: rank 0 waited 0.2 s for rank 1 of MPI_COMM_WORLD");
  }
  // The last process comes too late, and hears of the timeout.
  EXPECT_EQ(failure_of([&] { algorithm.run(calls); }).value_or(Failure{}).status, Status::timeout);
}

TEST_F(OtherTimeouts, end_exchanges_on_nodes_and_their_meetings) {
  const auto one_node = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("line:1"), GridNode{0});
  const auto context = CommContext::on(one_node.virtual_comm());
  const auto groups = NodeGroups::make(one_node, context);
  const auto failure =
      failure_without_last([&] { context->notify_on_failure([&] { groups->node_barrier(); }); });
  hear_timeout(*context);
  if (is_missing()) return;
  EXPECT_EQ(failure.status, Status::timeout) << failure.text;
  if (size == 2) {
    EXPECT_EQ(failure.text, "rank 0 waited 0.2 s for other ranks of MPI_COMM_WORLD on the same node");
  }
}

TEST_F(OtherTimeouts, end_calls_of_c_after_which_the_handle_can_be_freed_alone) {
  const Variable method("CUBEFOLD_ALLTOALL", "direct");
  static cubefold_comm handle = nullptr;  // the missing process does not free its own
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &handle),
            CUBEFOLD_SUCCESS);
  std::vector<int> data(static_cast<std::size_t>(size));
  const auto failure = failure_without_last([&] {
    EXPECT_EQ(cubefold_alltoall(MPI_IN_PLACE, 0, MPI_INT, data.data(), 1, MPI_INT, handle),
              CUBEFOLD_ERROR_TIMEOUT);
    throw Error(Status::timeout, cubefold_last_error() + std::string("cubefold_alltoall: ").size());
  });
  expect_timeout(failure, " before a collective call of MPI");
  if (!is_missing()) {
    EXPECT_EQ(cubefold_comm_free(&handle), CUBEFOLD_SUCCESS);
  }
}

TEST_F(OtherTimeouts, end_messages_to_and_from_a_rank_that_does_not_answer) {
  static cubefold_comm handle = nullptr;  // is not freed, because a message of it is still under way
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &handle),
            CUBEFOLD_SUCCESS);
  int number = 0;
  const int last = size - 1;
  static std::vector<char> large(
      16 << 20);  // too large to be sent before it is received; MPI may still read it
  const auto count = static_cast<int>(large.size());
  const auto expect_text = [&](int status, const std::string& text) {
    EXPECT_EQ(status, CUBEFOLD_ERROR_TIMEOUT);
    EXPECT_EQ(cubefold_last_error(), text);
  };
  if (!is_missing()) {
    const std::string waited = "rank " + std::to_string(rank) + " waited 0.2 s for rank " +
                               std::to_string(last) + " of MPI_COMM_WORLD to ";
    expect_text(cubefold_v_recv(&number, 1, MPI_INT, last, 5, handle, MPI_STATUS_IGNORE),
                "cubefold_v_recv: " + waited + "send a message with tag 5");
    expect_text(cubefold_v_send(large.data(), count, MPI_CHAR, last, 6, handle),
                "cubefold_v_send: " + waited + "receive a message with tag 6");
    expect_text(cubefold_v_sendrecv(&number, 1, MPI_INT, last, 7, &number, 1, MPI_INT, last, 8, handle,
                                    MPI_STATUS_IGNORE),
                "cubefold_v_sendrecv: " + waited + "send a message with tag 8");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Messages to the next rank of a ring, and from the one before, within a limit that is never reached.
class MessagesOnARing : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &handle),
              CUBEFOLD_SUCCESS);
    ASSERT_EQ(cubefold_comm_rank(handle, &rank), CUBEFOLD_SUCCESS);
    next = (rank + 1) % world_size();
    before = (rank + world_size() - 1) % world_size();
  }
  void TearDown() override { EXPECT_EQ(cubefold_comm_free(&handle), CUBEFOLD_SUCCESS); }

  const Variable limit{variable, long_limit};
  cubefold_comm handle = nullptr;
  int rank = 0;
  int next = 0;
  int before = 0;
};

TEST_F(MessagesOnARing, leave_neither_message_behind_if_the_other_one_is_refused) {
  const int wrong = -7;
  int early = -1;
  for (const auto& [sent, received] : {std::pair{-1, 1}, {1, -1}}) {
    EXPECT_EQ(cubefold_v_sendrecv(&wrong, sent, MPI_INT, next, 3, &early, received, MPI_INT, before, 3,
                                  handle, MPI_STATUS_IGNORE),
              CUBEFOLD_ERROR_MPI);
  }
  int number = -1;
  EXPECT_EQ(cubefold_v_sendrecv(&rank, 1, MPI_INT, next, 3, &number, 1, MPI_INT, before, 3, handle,
                                MPI_STATUS_IGNORE),
            CUBEFOLD_SUCCESS);
  EXPECT_EQ(number, before);
  EXPECT_EQ(early, -1);
}

TEST_F(MessagesOnARing, pass_as_without_a_limit) {
  int number = -1;
  MPI_Status status;
  EXPECT_EQ(cubefold_v_sendrecv(&rank, 1, MPI_INT, next, 3, &number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                                handle, &status),
            CUBEFOLD_SUCCESS);
  EXPECT_EQ(number, before);
  EXPECT_EQ(status.MPI_SOURCE, before);
  EXPECT_EQ(status.MPI_TAG, 3);
  if (rank == 0) {
    EXPECT_EQ(cubefold_v_send(&rank, 1, MPI_INT, next, 4, handle), CUBEFOLD_SUCCESS);
  }
  if (rank == 1) {
    EXPECT_EQ(cubefold_v_recv(&number, 1, MPI_INT, 0, 4, handle, &status), CUBEFOLD_SUCCESS);
  }
  EXPECT_EQ(status.MPI_TAG, rank == 1 ? 4 : 3);
}

}  // namespace
}  // namespace cubefold::mpi
