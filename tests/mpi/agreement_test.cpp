#include "mpi/agreement.hpp"

#include <gtest/gtest.h>

#include <new>

#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

TEST(Together, returns_where_all_succeed) {
  int runs = 0;
  agree_on_outcome(MPI_COMM_WORLD, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

TEST(Together, throws_on_all_what_one_process_throws_and_names_it) {
  const int last = world_size() - 1;
  const std::string text = message_of([&] {
    agree_on_outcome(MPI_COMM_WORLD, [&] {
      if (world_rank() == last) throw std::invalid_argument("3 is odd");
    });
  });
  EXPECT_EQ(text, last == 0 ? "3 is odd"
                            : "process " + std::to_string(last) + " of " + std::to_string(world_size()) +
                                  ": 3 is odd");
}

TEST(Together, names_no_process_where_all_have_thrown) {
  EXPECT_EQ(
      message_of([] { agree_on_outcome(MPI_COMM_WORLD, [] { throw std::invalid_argument("3 is odd"); }); }),
      "3 is odd");
}

TEST(Together, keeps_the_status_of_the_failure) {
  try {
    agree_on_outcome(MPI_COMM_WORLD, [] {
      if (world_rank() == 0) throw std::bad_alloc();
    });
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::memory);
  }
}

TEST(Together, leaves_the_communicator_usable_after_a_failure) {
  for (int trial = 0; trial < 3; ++trial) {
    EXPECT_NE(message_of([] { agree_on_outcome(MPI_COMM_WORLD, [] { throw std::invalid_argument("no"); }); }),
              "nothing thrown");
    EXPECT_EQ(message_of([] { agree_on_outcome(MPI_COMM_WORLD, [] {}); }), "nothing thrown");
  }
}

TEST(OnFirst, runs_on_the_first_process_only_and_throws_its_failure_on_all_without_naming_it) {
  int runs = 0;
  root_try(MPI_COMM_WORLD, [&] { ++runs; });
  EXPECT_EQ(runs, world_rank() == 0 ? 1 : 0);
  EXPECT_EQ(message_of([] { root_try(MPI_COMM_WORLD, [] { throw std::invalid_argument("no such file"); }); }),
            "no such file");
}

TEST(RequireEqualEverywhere, accepts_equal_texts_and_names_the_first_that_differs) {
  EXPECT_NO_THROW(require_equal_everywhere(MPI_COMM_WORLD, "grid", "ring:8"));
  if (world_size() == 1) return;
  const std::string text = message_of(
      [] { require_equal_everywhere(MPI_COMM_WORLD, "grid", world_rank() == 1 ? "line:8 " : "ring:8"); });
  EXPECT_EQ(text, "process 1 of " + std::to_string(world_size()) +
                      ": grid 'line:8 ' differs from 'ring:8' of process 0");
}

}  // namespace
}  // namespace cubefold::mpi
