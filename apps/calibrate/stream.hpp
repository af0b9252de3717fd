#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "calibrate/pairs.hpp"

/// Messages from each of the pairs' first nodes to its second, one behind the other.
struct Streams {
  std::vector<Pair> pairs;
  std::size_t message_bytes;
  std::size_t message_count;  ///< of each pair
};

/// So many messages of so many seconds each last that long, about: at least 4, and a bounded number where a message
/// takes no time.
std::size_t message_count_lasting(double seconds, double message_seconds);

/// Collective: seconds from a common start until the last message of the slowest has arrived. All sets run at the same
/// time; ranks are nodes. Messages under way are bounded, however many there are.
double stream_seconds(MPI_Comm comm, const std::vector<Streams>& sets);
