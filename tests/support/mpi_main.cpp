#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leaks.h"
#include "sweep_of_world.hpp"
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

/// Returns whether a test is in the file `NAME_test.cpp`.
bool is_in(const testing::TestInfo& test, const std::string& name) {
  const std::string_view path = test.file();
  const std::string file = "/" + name + "_test.cpp";
  return path.size() >= file.size() && path.substr(path.size() - file.size()) == file;
}

/// Returns a filter for the tests in these files, or an empty text if a file has none.
std::string filter_for(const std::vector<std::string>& files) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::string filter;
  for (const std::string& file : files) {
    const std::size_t before = filter.size();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
      const testing::TestSuite& suite = *all.GetTestSuite(i);
      for (int k = 0; k < suite.total_test_count(); ++k) {
        const testing::TestInfo& test = *suite.GetTestInfo(k);
        if (is_in(test, file)) filter += std::string(test.test_suite_name()) + "." + test.name() + ":";
      }
    }
    if (filter.size() == before) return "";
  }
  return filter;
}

}  // namespace

/// Runs the tests on every process. The first process reports, and a failure on any process fails all. With
/// --with-threads as the first argument, several threads may call MPI. Other arguments are names of files, as
/// `agreement` for tests/mpi/agreement_test.cpp, whose tests alone are run.
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
  const std::vector<std::string> files(argv + (with_threads ? 2 : 1), argv + argc);
  std::string& filter = testing::GTEST_FLAG(filter);
  const bool only_leaves_out = filter == "*" || filter.starts_with('-');
  if (!files.empty() && only_leaves_out) {
    const std::string chosen = filter_for(files);
    if (chosen.empty()) std::fprintf(stderr, "there are no tests in one of the files\n");
    if (chosen.empty()) MPI_Abort(MPI_COMM_WORLD, 2);
    filter = chosen + (filter == "*" ? "" : filter);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    const std::unique_ptr<testing::TestEventListener> printer(
        listeners.Release(listeners.default_result_printer()));
    listeners.Append(new FailuresOnly(rank));
  }
  cubefold::mpi::share_seed_of_sweeps();
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect_no_leaks();
  MPI_Finalize();
  return failed;
}
