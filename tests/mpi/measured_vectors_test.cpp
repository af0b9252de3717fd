// The calls of a program that reduces or gathers vectors decide between candidates, on the clock of SlowNetwork.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/plan_cache_world.hpp"
#include "support/slow_network.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

/// Holds all processes on the clock of SlowNetwork, and sums vectors.
class MeasuredVectors : public testing::Test, protected SlowNetwork, protected PlanCacheWorld {
 protected:
  static constexpr int count = 4096;
  static constexpr std::size_t bytes = count * sizeof(double);
  static constexpr int enough_calls = 200;

  void sum(PlanCache& plans, MPI_Op op = MPI_SUM, int numbers = count) {
    const std::vector<double> own(static_cast<std::size_t>(numbers), rank + 1.0);
    std::vector<double> received(own.size());
    plans.vectors().run(
        VectorCall(VectorArguments::allreduce(own.data(), received.data(), numbers, MPI_DOUBLE, op),
                   static_cast<std::size_t>(size), static_cast<std::size_t>(rank)));
    const double expected = op == MPI_SUM ? size * (size + 1) / 2.0 : size;
    EXPECT_EQ(received, std::vector<double>(own.size(), expected));
  }

  std::string text_after(PlanCache& plans, int calls, MPI_Op op = MPI_SUM) {
    for (int call = 0; call < calls; ++call) sum(plans, op);
    const std::string text = plans.explain(bytes);
    return text.substr(0, text.find("\nreduce-scatter of")).substr(text.find("allreduce of"));
  }

  const std::string begin_ = "allreduce of " + std::to_string(bytes) + " bytes: ";
};

TEST_F(MeasuredVectors, take_mpis_own_function_where_that_is_the_fastest) {
  if (size == 1) GTEST_SKIP() << "needs several processes";
  const Variable tuned("CUBEFOLD_ALLREDUCE", "tune");
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  const std::string text = text_after(plans, enough_calls);
  EXPECT_TRUE(text.starts_with(begin_ + "MPI's own function, fastest of")) << text;
}

TEST_F(MeasuredVectors, take_a_schedule_where_mpis_own_function_is_slower) {
  if (size == 1) GTEST_SKIP() << "needs several processes";
  const Variable tuned("CUBEFOLD_ALLREDUCE", "tune");
  SlowNetwork::allreduce_seconds = 1;
  PlanCache plans(comm);
  const std::string text = text_after(plans, enough_calls);
  EXPECT_NE(text.find(", fastest of"), std::string::npos) << text;
  EXPECT_FALSE(text.starts_with(begin_ + "MPI")) << text;
  EXPECT_NE(text.find("(vectors of " + std::to_string(bytes) + " bytes)"), std::string::npos) << text;
  sum(plans, MPI_SUM, count - 1);  // another size of the class uses the choice
}

TEST_F(MeasuredVectors, agree_on_one_candidate_where_the_clocks_of_processes_differ) {
  const Variable tuned("CUBEFOLD_ALLREDUCE", "tune");
  SlowNetwork::message_seconds = rank == 0 ? 1e-3 : 0;
  SlowNetwork::allreduce_seconds = rank == 1 ? 0.02 : 0;
  PlanCache plans(comm);
  const std::string text = text_after(plans, enough_calls);
  EXPECT_NO_THROW(require_equal_everywhere(comm.virtual_comm(), "choice", text));
}

TEST_F(MeasuredVectors, are_not_measured_where_sums_may_be_rounded_or_trials_are_off) {
  SlowNetwork::allreduce_seconds = 1;
  PlanCache plans(comm);
  const std::string text = text_after(plans, 3);
  EXPECT_EQ(text.find("measuring"), std::string::npos) << text;
  const Variable tuned("CUBEFOLD_ALLREDUCE", "tune");
  const Variable trials("CUBEFOLD_TRIALS", "0");
  PlanCache without_trials(comm);
  EXPECT_EQ(text_after(without_trials, 3).find("measuring"), std::string::npos);
}

}  // namespace
}  // namespace cubefold::mpi
