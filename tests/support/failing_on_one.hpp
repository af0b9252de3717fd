#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/agreement.hpp"
#include "support/failing_allocations.hpp"
#include "support/sweep.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {

/// Returns the text of the exception that work() throws, or an empty text if it throws none.
template <typename Work>
std::string text_of(Work work) {
  try {
    work();
  } catch (...) {
    return current_failure().text;
  }
  return "";
}

/// Describes the result of work during which one process had no memory for one allocation.
struct Outcome {
  std::string text;        ///< text of the exception on this process, or empty
  bool has_failed = true;  ///< whether an allocation failed on any process
};

/// Runs work() while allocation `number` of at least `least_bytes` fails on process `odd`. A sweep over `number` has
/// met every allocation when no allocation fails. All processes of MPI_COMM_WORLD must call this.
template <typename Work>
Outcome outcome_of(Work work, int odd, std::uint64_t number, std::size_t least_bytes = 0) {
  std::string text;
  int has_failed = 0;
  {
    const FailingAllocation failing(world_rank() == odd ? number : FailingAllocation::never, least_bytes);
    text = text_of(work);
    has_failed = failing.has_failed() ? 1 : 0;
  }
  MPI_Bcast(&has_failed, 1, MPI_INT, odd, MPI_COMM_WORLD);
  return {text, has_failed != 0};
}

enum class Sweep { all, sample };

/// Returns the number of the allocation that fails after `number` in a sweep. Sweep::all takes every fifth number, or
/// all with CUBEFOLD_SWEEP=all. Sweep::sample is for sweeps of minutes: each number is about half as large again as the
/// one before, or a tenth with CUBEFOLD_SWEEP=all.
inline std::uint64_t next_allocation(std::uint64_t number, Sweep sweep) {
  if (sweep == Sweep::all) return next_position(number, 5);
  if (sweeps_take_all()) return number + 1 + number / 10;
  return number == 1 ? next_position(number, 5) : number + 1 + number / 2;
}

/// Calls attempt(odd, number) for the first and the last process, with ascending numbers of next_allocation() from 1
/// on, until no allocation fails any more. All processes of MPI_COMM_WORLD must call this.
template <typename Attempt>
void sweep_allocations(Attempt attempt, Sweep sweep = Sweep::all) {
  for (const int odd : {0, world_size() - 1}) {
    Outcome outcome;
    for (std::uint64_t number = 1; outcome.has_failed; number = next_allocation(number, sweep)) {
      SCOPED_TRACE("allocation " + std::to_string(number) + " of process " + std::to_string(odd));
      outcome = attempt(odd, number);
    }
  }
}

/// Expects that the text says that memory lacked or has the other words.
inline void expect_out_of_memory_or(const std::string& words, const Outcome& outcome) {
  const bool is_said = outcome.text.find(words) != std::string::npos;
  EXPECT_TRUE(is_said || outcome.text.find("out of memory") != std::string::npos) << outcome.text;
}

/// Calls sweep_allocations(), and expects that each attempt either succeeds or reports a lack of memory.
template <typename Attempt>
void expect_ends_whatever_fails(Attempt attempt, Sweep sweep = Sweep::all) {
  const auto expect_it = [&](int odd, std::uint64_t number) {
    const Outcome outcome = attempt(odd, number);
    if (!outcome.text.empty()) {
      EXPECT_NE(outcome.text.find("out of memory"), std::string::npos) << outcome.text;
    }
    return outcome;
  };
  sweep_allocations(expect_it, sweep);
}

/// Returns the text of process `odd`, cut to 1000 characters. All processes of MPI_COMM_WORLD must call this.
inline std::string text_on(int odd, const std::string& own) {
  std::array<char, 1001> text{};
  own.copy(text.data(), text.size() - 1);
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, odd, MPI_COMM_WORLD);
  return text.data();
}

}  // namespace cubefold::mpi
