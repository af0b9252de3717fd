// This library is preloaded to make one allocation of a program fail on one process. CUBEFOLD_FAIL_ALLOCATION is
// RANK:NUMBER:LEAST_BYTES. On the process of that rank, the call of operator new with that number throws
// std::bad_alloc. Calls are counted from 1 when the process begins, and calls for fewer bytes do not count. A program
// without mpirun has rank 0. When the process ends normally, it writes the number of counted allocations to standard
// error. With NUMBER 0 no allocation fails, so the written number is that of all allocations that can fail.

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "failing_allocations.hpp"
#include "rank_of_environment.hpp"

namespace {

class FailingByEnvironment {
 public:
  FailingByEnvironment() {
    const char* setting = std::getenv("CUBEFOLD_FAIL_ALLOCATION");
    int failing_rank = 0;
    unsigned long number = 0;
    unsigned long least_bytes = 0;
    if (setting == nullptr || std::sscanf(setting, "%d:%lu:%lu", &failing_rank, &number, &least_bytes) != 3)
      return;
    if (cubefold::rank_of_environment() == failing_rank) allocation_.emplace(number, least_bytes);
  }
  FailingByEnvironment(const FailingByEnvironment&) = delete;
  FailingByEnvironment& operator=(const FailingByEnvironment&) = delete;
  ~FailingByEnvironment() {
    if (allocation_) std::fprintf(stderr, "allocations that count: %lu\n", allocation_->count());
  }

 private:
  std::optional<cubefold::FailingAllocation> allocation_;
};

const FailingByEnvironment failing_by_environment;

}  // namespace
