#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "calibrate/neighbour_pairs.hpp"

/// Describes messages from the first node of each pair to its second node, one after the other.
struct Streams {
  std::vector<Pair> pairs;
  std::size_t message_bytes;
  std::size_t message_count;  ///< number of messages of each pair
};

/// Returns how many messages of the given duration last about `seconds`. The result is at least 4, and it is bounded
/// even if a message takes no time.
std::size_t message_count_lasting(double seconds, double message_seconds);

/// Returns the seconds from a common start until the last message of the slowest process has arrived. All sets run at
/// the same time, and ranks are nodes. The number of messages under way at once is bounded. All processes must call
/// this.
double stream_seconds(MPI_Comm comm, const std::vector<Streams>& sets);

/// Returns for each pair, on all processes, the seconds from the start of its receiver until its last message has
/// arrived there. No sender starts before its receiver. Noise makes these times longer, but not shorter. All processes
/// must call this.
std::vector<double> stream_times(MPI_Comm comm, const Streams& streams);
