// This library is preloaded to make one call of MPI fail in one process of a program. CUBEFOLD_FAIL_MPI is
// RANK:NUMBER:FUNCTION. On the process of that rank, the call of that function with that number returns MPI_ERR_OTHER
// without doing anything. Calls are counted from 1 when the process begins; without FUNCTION, all functions of
// replaced_mpi.cpp count together but those that poll. When the process ends normally, it writes the number of counted
// calls to standard error. With NUMBER 0 no call fails, so the written number is that of all calls that can fail.

#include "failing_by_environment.hpp"
#include "failing_mpi.hpp"

namespace {

const cubefold::FailingByEnvironment<cubefold::FailingMpi> failing_by_environment(
    "CUBEFOLD_FAIL_MPI", "calls",
    [](auto& made, unsigned long number, const char* function) { made.emplace(function, number); });

}  // namespace
