#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "calibrate/check/host_streams.hpp"
#include "program/progress.hpp"

namespace cubefold::map_check {

/// Describes the messages of every stream.
struct StreamLength {
  std::size_t message_bytes;
  std::size_t message_count;
};

/// Holds the processes that send and receive for the hosts.
struct HostProcesses {
  MPI_Comm comm;
  const std::vector<int>& rank_of_host;
};

/// Returns streams that last about so many seconds, by the time of one stream alone. The messages are as large as fits
/// 16 times into that time, between 8 KiB and 1 MiB. All processes must call this.
StreamLength length_lasting(const HostProcesses& hosts, double seconds, const HostStream& stream);

/// Holds what all measurements of a check need.
struct Bench {
  HostProcesses hosts;
  StreamLength length;
  int repetitions;
  program::Progress& progress;
};

/// Measures the streams of the rounds one after the other, and then the rounds. All processes must call this with the
/// same rounds.
std::vector<Observation> measure(const Bench& bench, const std::vector<Round>& rounds);

}  // namespace cubefold::map_check
