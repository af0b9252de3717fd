#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold::map_check {

/// Holds the node of every host of a job. A hypothesis about the hosts is such a value too.
using NodeOfHost = std::vector<GridNode>;

/// Describes a stream of messages between two hosts of the job, which are numbered from 0.
struct HostStream {
  std::size_t from;
  std::size_t to;

  bool operator==(const HostStream&) const = default;
};

/// Holds streams of equal length that run at the same time.
using Round = std::vector<HostStream>;

/// Holds the times of a round. Requires at least one repetition.
struct Observation {
  Round round;
  std::vector<double> alone_seconds;  ///< time of each stream when no other stream runs
  std::vector<std::vector<double>>
      seconds;  ///< time of each stream in each repetition: seconds[repetition][stream]

  /// Returns how much longer a stream takes in a repetition than alone.
  double factor(std::size_t repetition, std::size_t stream) const {
    return seconds[repetition][stream] / alone_seconds[stream];
  }
};

}  // namespace cubefold::map_check
