// This library is preloaded to make one allocation of a program fail on one process. CUBEFOLD_FAIL_ALLOCATION is
// RANK:NUMBER:LEAST_BYTES. On the process of that rank, the call of operator new with that number throws
// std::bad_alloc. Calls are counted from 1 when the process begins, and calls for fewer bytes do not count. A program
// without mpirun has rank 0. When the process ends normally, it writes the number of counted allocations to standard
// error. With NUMBER 0 no allocation fails, so the written number is that of all allocations that can fail.

#include <cstdlib>

#include "failing_allocations.hpp"
#include "failing_by_environment.hpp"

namespace {

const cubefold::FailingByEnvironment<cubefold::FailingAllocation> failing_by_environment(
    "CUBEFOLD_FAIL_ALLOCATION", "allocations", [](auto& made, unsigned long number, const char* least_bytes) {
      made.emplace(number, std::strtoul(least_bytes, nullptr, 10));
    });

}  // namespace
