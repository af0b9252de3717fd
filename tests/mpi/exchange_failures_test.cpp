// A failure on one process ends the exchange on all processes. The handle cannot be used afterwards.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "cubefold/cubefold.h"
#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "mpi/node_groups.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_mpi_on_one.hpp"
#include "support/spread_type.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

struct Failing {
  ExchangeMethod method;
  StepSync sync;
  bool first_fails = false;  ///< whether the first process fails, and not the last
};

class ExchangeFailures : public testing::TestWithParam<Failing>, protected ExchangeWorld {
 protected:
  ExchangeFailures() : ExchangeWorld(grids_of_world().back(), "identity") {}

  void SetUp() override {
    const auto fitting = compared_methods(comm.grid());
    if (std::find(fitting.begin(), fitting.end(), GetParam().method) == fitting.end())
      GTEST_SKIP() << to_string(GetParam().method) << " does not fit " << to_string(comm.grid());
  }

  /// Makes a new exchange, because an exchange cannot be used after a failure.
  std::shared_ptr<AlltoallPlan> made() const {
    return AlltoallPlan::make(comm, setup_with(GetParam().method, GetParam().sync));
  }

  int odd() const { return GetParam().first_fails ? 0 : size - 1; }
  bool is_odd() const { return rank == odd(); }

  /// Returns the text that this process throws when the odd process fails with `text`.
  std::string told(const std::string& text) const {
    return is_odd() ? text : "process " + std::to_string(odd()) + " of " + std::to_string(size) + ": " + text;
  }

  void expect_refused(AlltoallPlan& exchange, const std::string& text) const {
    std::vector<int> buffer(static_cast<std::size_t>(size));
    const Sides buffers{MPI_IN_PLACE, 0, MPI_INT, buffer.data(), 1, MPI_INT};
    EXPECT_EQ(text_of([&] { exchange.run(buffers); }), earlier + text);
    EXPECT_EQ(text_of([&] { exchange.start(buffers); }), earlier + text);
    EXPECT_EQ(text_of([&] { exchange.prepare(buffers); }), earlier + text);
  }
};

TEST_P(ExchangeFailures, by_a_bad_argument_of_one_process_are_those_of_all) {
  const auto exchange = made();
  const auto send = sent(4);
  std::vector<int> receive(send.size());
  const int* given = is_odd() ? nullptr : send.data();
  const auto failure = told("the buffer is a null pointer");
  EXPECT_EQ(text_of([&] { exchange->run({given, 4, MPI_INT, receive.data(), 4, MPI_INT}); }), failure);
  expect_refused(*exchange, failure);
}

TEST_P(ExchangeFailures, of_a_request_are_those_of_all) {
  const auto exchange = made();
  const auto send = sent(4);
  std::vector<int> receive(send.size());
  const int count = is_odd() ? -1 : 4;
  EXPECT_EQ(text_of([&] {
              exchange->start({send.data(), 4, MPI_INT, receive.data(), count, MPI_INT})->wait();
            }),
            told("count -1 is negative"));
}

TEST_P(ExchangeFailures, let_earlier_exchanges_end) {
  const auto exchange = made();
  const auto send = sent(20'000);
  std::vector<int> receive(send.size());
  auto request = exchange->start({send.data(), 20'000, MPI_INT, receive.data(), 20'000, MPI_INT});
  std::vector<int> other(static_cast<std::size_t>(size));
  EXPECT_EQ(text_of([&] {
              exchange->run({MPI_IN_PLACE, 0, MPI_INT, is_odd() ? nullptr : other.data(), 1, MPI_INT});
            }),
            told("the buffer is a null pointer"));
  request->wait();
  EXPECT_EQ(receive, expected(20'000));
}

// A process that detects the different sizes tells the others. Which process is first is not determined, so the text of
// the failure is not tested.
TEST_P(ExchangeFailures, by_sizes_that_differ_end_all_exchanges) {
  if (size == 1) GTEST_SKIP() << "one process has one size";
  const auto exchange = made();
  const auto send = sent(4);
  std::vector<int> receive(2 * send.size());  // Open MPI may write more than the blocks hold
  const int count = is_odd() ? 2 : 4;
  EXPECT_NE(text_of([&] {
              exchange->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
            }),
            "");
  const auto text = text_of([&] { exchange->run({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT}); });
  EXPECT_EQ(text.substr(0, earlier.size()), earlier);
}

TEST_P(ExchangeFailures, of_a_call_back_end_the_exchange_on_all_that_wait) {
  for (int good_calls = 0; good_calls < size; ++good_calls) {
    const auto exchange = made();
    int made_here = 0;
    int taken = 0;
    const PacketCalls calls{[&](Rank, std::size_t, std::span<std::byte>) {
                              if (is_odd() && made_here++ == good_calls) throw std::runtime_error("no data");
                            },
                            [&](Rank, std::size_t, std::span<const std::byte>) { ++taken; }};
    const auto text = text_of([&] { exchange->run_packets(8, calls); });
    if (is_odd() || !text.empty()) {
      EXPECT_EQ(text, told("no data"));
    } else {
      EXPECT_EQ(taken, size);
    }
  }
}

TEST_P(ExchangeFailures, by_lack_of_memory_are_those_of_all) {
  const SpreadType type(3);
  const auto send = spread_out(sent(3));
  Outcome outcome;
  for (std::uint64_t number = 1; outcome.has_failed; number = next_position(number, 5)) {
    const auto exchange = made();
    std::vector<int> receive(send.size(), -2);
    const auto run_twice = [&] {
      exchange->run({send.data(), 1, type.get(), receive.data(), 1, type.get()});
      exchange->start({send.data(), 1, type.get(), receive.data(), 1, type.get()})->wait();
    };
    outcome = outcome_of(run_twice, odd(), number);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, spread_out(expected(3))) << "failure " << number;
    } else {
      EXPECT_EQ(outcome.text, told("out of memory")) << "failure " << number;
    }
  }
}

// A process that has all its blocks when another one fails does not hear of it in this exchange.
TEST_P(ExchangeFailures, of_mpi_are_those_of_all_that_wait) {
  const auto send = sent(3);
  expect_ends_whatever_call_fails([&](const char* function, std::uint64_t number) {
    const auto exchange = made();
    std::vector<int> receive(send.size(), -2);
    const auto run = [&] { exchange->run({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT}); };
    const Outcome outcome = outcome_of_mpi(run, odd(), function, number);
    const std::string first = text_on(odd(), outcome.text);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, expected(3));
    } else {
      EXPECT_EQ(outcome.text, told(first));
      EXPECT_NE(first.find(function), std::string::npos) << first;
    }
    return outcome;
  });
}

INSTANTIATE_TEST_SUITE_P(Methods, ExchangeFailures,
                         testing::Values(Failing{{ExchangeAlgorithm::direct, {}}, StepSync::data},
                                         Failing{{ExchangeAlgorithm::direct, {}}, StepSync::data, true},
                                         Failing{{ExchangeAlgorithm::direct, {}}, StepSync::clock},
                                         Failing{{ExchangeAlgorithm::bruck, {2}}, StepSync::data},
                                         Failing{{ExchangeAlgorithm::store_and_forward, {}}, StepSync::data}),
                         [](const auto& how) {
                           std::string name =
                               to_string(how.param.method) + "_" + std::string(to_string(how.param.sync));
                           if (how.param.first_fails) name += "_first";
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == ':'; }, '_');
                           return name;
                         });

// Processes duplicate the caller's communicator whatever fails on one of them before.
TEST(HandleFailures, of_error_handlers_are_those_of_all_processes) {
  const int odd = world_size() - 1;
  const auto make = [] { const VirtualComm made(MPI_COMM_WORLD, ring_of_world(), "identity"); };
  const auto expect_told = [&](const std::string& function, std::uint64_t number) {
    const Outcome outcome = outcome_of_mpi(make, odd, function.c_str(), number);
    EXPECT_TRUE(outcome.has_failed);
    EXPECT_NE(outcome.text.find(function), std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text, text_on(odd, outcome.text));
  };
  expect_told("MPI_Comm_get_errhandler", 1);
  expect_told("MPI_Comm_set_errhandler", 1);
  expect_told("MPI_Comm_set_errhandler", 2);
}

TEST(HandleFailures, are_known_by_the_first_of_several_notices) {
  if (world_size() < 3) GTEST_SKIP() << "a process hears of the failures of two others";
  const auto context = CommContext::on(MPI_COMM_WORLD);
  constexpr int tag_of_notices = 32767;
  if (world_rank() < 2) context->fail({Status::mpi, "failure of process " + std::to_string(world_rank())});
  if (world_rank() == 2) {
    const auto hear_next = [&] {
      MPI_Probe(MPI_ANY_SOURCE, tag_of_notices, context->comm(), MPI_STATUS_IGNORE);
      return text_of([&] { context->throw_if_peer_failed(); });
    };
    const std::string first = hear_next();
    EXPECT_EQ(hear_next(), earlier + first);
  }
  context->agree_on_failures();
}

TEST(HandleFailures, of_shared_memory_are_those_of_all_processes) {
  if (world_size() == 1) GTEST_SKIP() << "a process alone shares no node";
  const auto comm = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("line:1"), GridNode{0});
  const auto context = CommContext::on(comm.virtual_comm());
  const bool is_odd = world_rank() == world_size() - 1;
  const FailingMpi failing("shm_open", is_odd ? 1 : FailingMpi::never);
  const auto text = text_of([&] { NodeGroups::make(comm, context); });
  EXPECT_NE(text.find("memory"), std::string::npos) << text;
}

TEST(HandleFailures, are_kept_by_the_handle_which_can_be_freed) {
  const Variable method("CUBEFOLD_ALLTOALL", "direct");
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  const auto size = static_cast<std::size_t>(world_size());
  std::vector<int> send(size, 1);
  std::vector<int> receive(size);
  const auto call = [&](const int* from) {
    return cubefold_alltoall(from, 1, MPI_INT, receive.data(), 1, MPI_INT, comm);
  };
  EXPECT_EQ(call(send.data()), CUBEFOLD_SUCCESS);
  const bool is_odd = world_rank() == world_size() - 1;
  EXPECT_EQ(call(is_odd ? nullptr : send.data()), CUBEFOLD_ERROR_ARGUMENT);
  const std::string first = cubefold_last_error();
  EXPECT_NE(first.find("the buffer is a null pointer"), std::string::npos) << first;
  EXPECT_EQ(call(send.data()), CUBEFOLD_ERROR_ARGUMENT);
  const std::string prefix = "cubefold_alltoall: ";
  EXPECT_EQ(cubefold_last_error(), prefix + earlier + first.substr(prefix.size()));
  cubefold_request request = nullptr;
  EXPECT_EQ(cubefold_ialltoall(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT, comm, &request),
            CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_EQ(request, nullptr);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(comm, nullptr);
}

// An exchange in which processes pass blocks on needs calls of all of them.
TEST(Handle, completes_exchanges_before_calls_that_wait_for_all_processes) {
  const Variable method("CUBEFOLD_ALLTOALL", "bruck:2");
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  const std::vector<int> send(static_cast<std::size_t>(world_size()), world_rank());
  std::vector<int> receive(send.size());
  const auto start = [&] {
    cubefold_request request = nullptr;
    EXPECT_EQ(cubefold_ialltoall(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT, comm, &request),
              CUBEFOLD_SUCCESS);
    return request;
  };
  const auto wait = [](cubefold_request& request) { EXPECT_EQ(cubefold_wait(&request), CUBEFOLD_SUCCESS); };
  const bool waits_late = world_rank() == 0;
  cubefold_request request = start();
  if (!waits_late) wait(request);
  const int size = world_size();
  const int is_periodic = 0;
  MPI_Comm cart = MPI_COMM_NULL;
  EXPECT_EQ(cubefold_cart_create(comm, 1, &size, &is_periodic, &cart), CUBEFOLD_SUCCESS);
  MPI_Comm_free(&cart);
  if (waits_late) wait(request);
  request = start();
  if (!waits_late) wait(request);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_NE(std::string(cubefold_last_error()).find("not freed yet: 1"), std::string::npos)
      << cubefold_last_error();
  if (waits_late) wait(request);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

TEST(HandleFailures, to_agree_are_told_by_the_call_that_frees_the_handle) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  std::vector<int> blocks(static_cast<std::size_t>(world_size()));
  EXPECT_EQ(cubefold_alltoall(MPI_IN_PLACE, 0, MPI_INT, blocks.data(), 1, MPI_INT, comm), CUBEFOLD_SUCCESS);
  constexpr int of_settle = 2;  // the first call agrees that no request is left
  const FailingMpi failing("MPI_Allreduce", of_settle);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_ERROR_MPI);
  EXPECT_EQ(std::string(cubefold_last_error()).find("cubefold_comm_free: MPI_Allreduce: MPI_ERR_OTHER"), 0U)
      << cubefold_last_error();
  EXPECT_EQ(comm, nullptr);
  EXPECT_TRUE(failing.has_failed());
}

}  // namespace
}  // namespace cubefold::mpi
