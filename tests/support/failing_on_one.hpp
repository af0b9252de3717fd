#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/agreement.hpp"
#include "support/failing_allocations.hpp"
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

/// Returns the text of process `odd`, cut to 1000 characters. All processes of MPI_COMM_WORLD must call this.
inline std::string text_on(int odd, const std::string& own) {
  std::array<char, 1001> text{};
  own.copy(text.data(), text.size() - 1);
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, odd, MPI_COMM_WORLD);
  return text.data();
}

}  // namespace cubefold::mpi
