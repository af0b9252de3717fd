#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/mpi/complete_exchange.hpp"

namespace cubefold::mpi {

/// How often exchanges are tried: `least` times at least, and then on until all of them have taken enough_seconds together, as
/// short ones differ more from one time to the next.
struct TrialEffort {
  int least;
  double enough_seconds = 0.25;
  int most_of_short = 25;
};

/// What the trials of an exchange took: the median of its slowest process.
struct TrialTimes {
  std::vector<double> seconds;  ///< of each exchange
  int trials;
};

/// Collective: runs each exchange with blocks of that size, in turn, and once before. The same on all processes. Takes 2 p
/// blocks of memory meanwhile.
TrialTimes trial_times(const std::vector<CompleteExchange*>& exchanges, std::size_t block_bytes,
                       const TrialEffort& effort, MPI_Comm comm);

}  // namespace cubefold::mpi
