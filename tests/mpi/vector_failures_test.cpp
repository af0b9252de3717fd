// A failure on one process ends a call that reduces or gathers a vector on all processes.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi/alltoall_request.hpp"
#include "mpi/plan_cache.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_mpi_on_one.hpp"
#include "support/failing_on_one.hpp"
#include "support/several_hosts.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

/// A method, and the number of processes on each node.
struct MethodOnNodes {
  const char* method;
  int per_node;
};

/// Returns a ring with so many processes on each node, or one if the number does not divide that of the processes.
std::string ring_with(int per_node) {
  return world_size() % per_node == 0 ? "ring:" + std::to_string(world_size() / per_node) : ring_of_world();
}

/// Sums vectors by a method on a ring, blocking or by a request.
class VectorFailures : public testing::TestWithParam<MethodOnNodes>, protected ExchangeWorld {
 protected:
  VectorFailures() : ExchangeWorld(ring_with(GetParam().per_node), "identity") {}

  static bool is_mpi() { return GetParam().method == std::string("mpi"); }

  static constexpr int count = 100;

  int odd() const { return size - 1; }

  std::unique_ptr<PlanCache> plans() const {
    const Variable method("CUBEFOLD_ALLREDUCE", GetParam().method);
    return std::make_unique<PlanCache>(comm);
  }

  void sum(PlanCache& plans, bool by_request) {
    std::ranges::fill(receive, -1);
    plans.context().notify_on_failure([&] {
      const VectorCall call(VectorArguments::allreduce(send.data(), receive.data(), count, MPI_INT, MPI_SUM),
                            static_cast<std::size_t>(size), static_cast<std::size_t>(rank));
      if (!by_request) return plans.vectors().run(call);
      const auto request = plans.vectors().for_call(call)->prepare(call);
      request->start();
      request->wait();
    });
  }

  bool is_right() const { return receive == std::vector<int>(count, size * (size + 1) / 2); }

  /// Expects that a call ends on all processes while one call of MPI fails, and that the next one ends too.
  void expect_ends(const char* function, bool by_request) {
    bool has_failed = true;
    for (std::uint64_t number = 1; has_failed; number = next_call(number)) {
      SCOPED_TRACE(std::string(function) + ' ' + std::to_string(number) + (by_request ? " by request" : ""));
      const auto cache = plans();
      sum(*cache, by_request);
      const Outcome outcome = outcome_of_mpi([&] { sum(*cache, by_request); }, odd(), function, number);
      has_failed = outcome.has_failed;
      const std::string first = text_on(odd(), outcome.text);
      if (outcome.text.empty()) {
        EXPECT_TRUE(is_right());
      } else {
        EXPECT_NE(outcome.text.find(function), std::string::npos) << outcome.text;
        EXPECT_NE(text_of([&] { sum(*cache, by_request); }).find(function), std::string::npos);
      }
    }
  }

  const std::vector<int> send = std::vector<int>(count, rank + 1);
  std::vector<int> receive = std::vector<int>(count);
};

TEST_P(VectorFailures, of_a_call_of_mpi_end_the_call_on_all_processes) {
  for (const bool by_request : {false, true}) {
    for (const char* function :
         {"MPI_Isend", "MPI_Irecv", "MPI_Testsome", "MPI_Get_count", "MPI_Reduce_local"}) {
      if (!is_mpi()) expect_ends(function, by_request);
    }
  }
  if (is_mpi())
    for (const char* function : {"MPI_Iallreduce", "MPI_Test"}) expect_ends(function, true);
}

TEST_P(VectorFailures, for_lack_of_memory_end_the_call_on_all_processes) {
  for (const bool by_request : {false, true}) {
    expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
      const auto cache = plans();
      const Outcome outcome = outcome_of([&] { sum(*cache, by_request); }, odd, number);
      if (outcome.text.empty()) {
        EXPECT_TRUE(is_right());
      }
      // The next call works or fails with the first text, and no process waits in it.
      if (const auto text = text_of([&] { sum(*cache, by_request); }); !text.empty()) {
        EXPECT_NE(text.find("out of memory"), std::string::npos) << text;
      }
      return outcome;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, VectorFailures,
                         testing::Values(MethodOnNodes{"bucket:2", 1}, MethodOnNodes{"bucket:2", 2},
                                         MethodOnNodes{"mpi", 1}),
                         [](const auto& method) {
                           return std::string(method.param.method).substr(0, 3) +
                                  std::to_string(method.param.per_node);
                         });

/// Sums vectors while times of calls choose the method.
class MeasuredVectorFailures : public VectorFailures {
  const SeveralHosts own_host_{world_rank()};
};

TEST_P(MeasuredVectorFailures, for_lack_of_memory_end_the_calls_on_all_processes) {
  expect_ends_whatever_fails(
      [&](int odd, std::uint64_t number) {
        const auto cache = plans();
        const auto some_calls = [&] {
          for (int call = 0; call < 4; ++call) sum(*cache, false);
        };
        return outcome_of(some_calls, odd, number);
      },
      Sweep::sample);
}

INSTANTIATE_TEST_SUITE_P(Methods, MeasuredVectorFailures, testing::Values(MethodOnNodes{"tune", 1}));

TEST(VectorTimeouts, say_for_whom_a_process_waits) {
  if (world_size() == 1) GTEST_SKIP() << "needs several processes";
  for (const auto& [name, per_node] :
       {MethodOnNodes{"bucket", 1}, MethodOnNodes{"bucket", 2}, MethodOnNodes{"mpi", 1}}) {
    const VirtualComm comm(MPI_COMM_WORLD, ring_with(per_node), "identity");
    std::optional<PlanCache> plans;
    {
      const Variable method("CUBEFOLD_ALLREDUCE", name);
      const Variable limit("CUBEFOLD_TIMEOUT", "0.2");
      plans.emplace(comm);
    }
    double value = 1;
    double sum = 0;
    const VectorCall call(VectorArguments::allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM),
                          static_cast<std::size_t>(world_size()), static_cast<std::size_t>(world_rank()));
    plans->vectors().run(call);
    std::string text;
    if (world_rank() != world_size() - 1) text = text_of([&] { plans->vectors().run(call); });
    MPI_Barrier(MPI_COMM_WORLD);
    while (!plans->context().has_timed_out()) {
    }
    if (world_rank() != world_size() - 1) {
      EXPECT_NE(text.find(" waited 0.2 s for "), std::string::npos) << text;
    }
    const std::string step = name == std::string("mpi") ? " before a collective call of MPI" : " (bucket)";
    if (world_size() == 2 && world_rank() == 0) {
      EXPECT_NE(text.find(step), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace cubefold::mpi
