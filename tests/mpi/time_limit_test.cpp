// CUBEFOLD_TIMEOUT is read, and the texts of timeouts name ranks.

#include "mpi/waiting.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "mpi/comm_context.hpp"
#include "mpi/processes.hpp"
#include "support/message_of.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

constexpr const char* limit_variable = "CUBEFOLD_TIMEOUT";

TEST(TimeLimit, is_a_number_of_seconds_above_0) {
  for (const char* wrong : {"0", "-1", "5s", "inf", "nan", "one"}) {
    const Variable limit(limit_variable, wrong);
    const std::string told = "process 0 of " + std::to_string(world_size()) + ": CUBEFOLD_TIMEOUT '" + wrong +
                             "' is no number of seconds above 0";
    EXPECT_EQ(message_of([] { CommContext::on(MPI_COMM_WORLD); }), told);
  }
  const Variable limit(limit_variable, "2.5");
  EXPECT_EQ(CommContext::on(MPI_COMM_WORLD)->time_limit().seconds(), 2.5);
}

TEST(TimeLimit, is_that_of_the_process_with_the_shortest_limit) {
  EXPECT_FALSE(CommContext::on(MPI_COMM_WORLD)->time_limit().exists());
  setenv(limit_variable, std::to_string(world_rank() + 3).c_str(), 1);
  EXPECT_EQ(CommContext::on(MPI_COMM_WORLD)->time_limit().seconds(), 3);
  unsetenv(limit_variable);
}

TEST(TimeLimit, names_ranks_once) {
  const Variable given(limit_variable, "1.5");
  const TimeLimit limit = TimeLimit::on(MPI_COMM_WORLD);
  const auto text = [&](std::vector<int> ranks) {
    return failure_of([&] { throw_timeout(MPI_COMM_SELF, limit, {std::move(ranks), ""}); })->text;
  };
  const std::string begin = "rank " + std::to_string(world_rank()) + " waited 1.5 s for ";
  const std::string own = std::to_string(world_rank());
  EXPECT_EQ(text({}), begin + "other ranks of MPI_COMM_WORLD");
  EXPECT_EQ(text({0, 0}), begin + "rank " + own + " of MPI_COMM_WORLD");
}

}  // namespace
}  // namespace cubefold::mpi
