// This library is preloaded to make one call of MPI fail in one process of a program. CUBEFOLD_FAIL_MPI is
// RANK:NUMBER:FUNCTION. On the process of that rank, the call of that function with that number returns MPI_ERR_OTHER
// without doing anything. Calls are counted from 1 when the process begins; without FUNCTION, all functions of
// failing_mpi.cpp count together but those that poll. When the process ends normally, it writes the number of counted
// calls to standard error. With NUMBER 0 no call fails, so the written number is that of all calls that can fail.

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "failing_mpi.hpp"
#include "rank_of_environment.hpp"

namespace {

class FailingByEnvironment {
 public:
  FailingByEnvironment() {
    const char* setting = std::getenv("CUBEFOLD_FAIL_MPI");
    int failing_rank = 0;
    unsigned long number = 0;
    int read = 0;
    if (setting == nullptr || std::sscanf(setting, "%d:%lu:%n", &failing_rank, &number, &read) != 2 ||
        read == 0)
      return;
    if (cubefold::rank_of_environment() == failing_rank) call_.emplace(setting + read, number);
  }
  FailingByEnvironment(const FailingByEnvironment&) = delete;
  FailingByEnvironment& operator=(const FailingByEnvironment&) = delete;
  ~FailingByEnvironment() {
    if (call_) std::fprintf(stderr, "calls that count: %lu\n", call_->count());
  }

 private:
  std::optional<cubefold::FailingMpi> call_;
};

const FailingByEnvironment failing_by_environment;

}  // namespace
