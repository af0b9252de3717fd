#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/failing_mpi.hpp"
#include "support/failing_on_one.hpp"
#include "support/sweep.hpp"

namespace cubefold::mpi {

/// The functions of MPI that send, receive, and wait for messages.
inline constexpr const char* functions_of_messages[] = {
    "MPI_Send",     "MPI_Recv", "MPI_Isend",   "MPI_Irecv",  "MPI_Sendrecv",     "MPI_Iprobe",   "MPI_Test",
    "MPI_Testsome", "MPI_Wait", "MPI_Waitall", "MPI_Cancel", "MPI_Request_free", "MPI_Get_count"};

/// Runs work() while call `number` of an MPI function fails on process `odd`. All processes of MPI_COMM_WORLD must call
/// this.
template <typename Work>
Outcome outcome_of_mpi(Work work, int odd, const char* function, std::uint64_t number) {
  std::string text;
  int has_failed = 0;
  {
    std::optional<FailingMpi> failing;
    if (world_rank() == odd) failing.emplace(function, number);
    text = text_of(work);
    has_failed = failing && failing->has_failed() ? 1 : 0;
  }
  MPI_Bcast(&has_failed, 1, MPI_INT, odd, MPI_COMM_WORLD);
  return {text, has_failed != 0};
}

/// Returns the next number of a sweep, which takes 1 and every fifth number up to 8, or all of them. The number of
/// calls that poll depends on the time, so that beyond 8 each number is twice the one before; other functions are
/// called less often.
inline std::uint64_t next_call(std::uint64_t number) {
  return number < 8 ? next_position(number, 5) : 2 * number;
}

/// Calls attempt(function, number) for all functions of messages, with ascending numbers from 1 on, until no call fails
/// any more.
template <typename Attempt>
void expect_ends_whatever_call_fails(Attempt attempt) {
  for (const char* function : functions_of_messages) {
    bool has_failed = true;
    for (std::uint64_t number = 1; has_failed; number = next_call(number)) {
      SCOPED_TRACE(std::string(function) + " " + std::to_string(number));
      has_failed = attempt(function, number).has_failed;
    }
  }
}

}  // namespace cubefold::mpi
