#pragma once

#include <mpi.h>

#include <limits>
#include <string>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The longest time in seconds that a process waits for others while nothing happens: the value of the environment
/// variable CUBEFOLD_TIMEOUT. There is no limit without the variable.
class CUBEFOLD_API TimeLimit {
 public:
  TimeLimit() = default;

  /// Collective: returns the shortest limit of all processes. Throws std::invalid_argument on all processes if the
  /// variable is no number of seconds above 0 on any process.
  static TimeLimit on(MPI_Comm comm);

  bool exists() const { return seconds_ < std::numeric_limits<double>::infinity(); }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
};

/// The processes that a process waits for, and the step in which it does.
struct Awaited {
  std::vector<int> ranks;  ///< empty if they are not known
  std::string step;        ///< such as " in step 4 of 15 (direct)", or empty
};

/// Returns a text such as "rank 3 waited 5 s for ranks 1 and 7 of MPI_COMM_WORLD in step 4 of 15 (direct)". The ranks
/// of `awaited` are those of the communicator. The text has those of MPI_COMM_WORLD, because the communicator may have
/// a part of the processes in another order. It names at most 8 of them.
CUBEFOLD_API std::string timeout_text(MPI_Comm comm, TimeLimit limit, const Awaited& awaited);

/// Throws Error with Status::timeout and that text.
[[noreturn]] CUBEFOLD_API void throw_timeout(MPI_Comm comm, TimeLimit limit, const Awaited& awaited);

}  // namespace cubefold::mpi
