#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "functions.hpp"
#include "report_line.hpp"

namespace cubefold::preload {

/// While an object of this class lives, calls of this thread come from this library and go straight on to MPI.
class InsideLibrary {
 public:
  InsideLibrary() { ++depth; }
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;
  ~InsideLibrary() { --depth; }

  static bool is_active() { return depth > 0; }

 private:
  static inline thread_local int depth = 0;
};

/// Returns whether calls of the program may be replaced: CUBEFOLD is not `off`, this thread is not inside the library,
/// and MPI does not end.
bool may_replace();

/// Says that MPI ends: all calls from now on are passed on.
void end_replacing();

/// Returns whether functions that make topologies may number processes anew: CUBEFOLD_REORDER is `on`.
bool may_reorder();

/// Counts of one function of MPI on this process. Threads may add at the same time.
struct CallCount {
  const char* function;
  std::atomic<std::uint64_t> ours = 0;
  std::atomic<std::uint64_t> passed_on = 0;
  std::atomic<double> seconds_saved = 0;  ///< as measured; negative if the measurements cost more

  std::uint64_t all() const { return ours + passed_on; }
};

/// Everything that the report at MPI_Finalize says. Of persistent exchanges that are ours, each start counts.
struct Report {
#define CUBEFOLD_COUNT(function) \
  CallCount function{"MPI_" #function};  // NOLINT(bugprone-macro-parentheses): it is a name
  CUBEFOLD_FUNCTIONS(CUBEFOLD_COUNT, CUBEFOLD_NO_FUNCTION, CUBEFOLD_COUNT)
  CUBEFOLD_FUNCTIONS_OF_MPI_4(CUBEFOLD_COUNT, CUBEFOLD_NO_FUNCTION, CUBEFOLD_COUNT)
#undef CUBEFOLD_COUNT
  std::atomic<std::uint64_t> with_device_memory = 0;  ///< calls that a buffer of a device let pass on
  std::atomic<std::uint64_t> communicators = 0;
  std::atomic<std::uint64_t> communicators_on_grid = 0;
};

/// Returns the report of this process.
inline Report& report() {
  static constinit Report report;
  return report;
}

/// Says on standard error that processes get new ranks, and how to prevent it. Only the first call on this process does
/// that.
void announce_reordering(const char* function) noexcept;

/// Calls see(count) for each function that this library replaces and that the program called.
void for_each_replaced(const std::function<void(const CallCount&)>& see);

/// Returns one line that says how many calls were replaced, or an empty text if there were none.
std::string text_of_report();

}  // namespace cubefold::preload
