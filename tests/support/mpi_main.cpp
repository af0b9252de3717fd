#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <string_view>

#include "leaks.h"
#include "world.hpp"

namespace {

/// Prints only failures. All processes but the first use it.
class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "process %d: %s:%d: %s\n", rank_, result.file_name(), result.line_number(),
                 result.message());
  }

  int rank_;
};

}  // namespace

/// Runs the tests on every process. The first process reports, and a failure on any process fails all. With
/// --with-threads as the first argument, several threads may call MPI.
int main(int argc, char** argv) {
  const bool with_threads = argc > 1 && std::string_view(argv[1]) == "--with-threads";
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  // MPICH 4.0.2 raises errors of messages on the first of these communicators, whatever theirs is, and MPICH 5.0.2 on
  // the second one.
  if (cubefold::mpi::runs_with_mpich()) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    const std::unique_ptr<testing::TestEventListener> printer(
        listeners.Release(listeners.default_result_printer()));
    listeners.Append(new FailuresOnly(rank));
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect_no_leaks();
  MPI_Finalize();
  return failed;
}
