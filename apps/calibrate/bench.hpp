#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// Limits the time of a calibration.
struct Effort {
  int repetitions = 3;
  double stream_seconds = 0.3;  ///< about how long one stream lasts
};

/// Holds what every measurement needs. The ranks of the communicator are the nodes of the grid.
struct Bench {
  MPI_Comm comm;
  const cubefold::Grid& grid;
  Effort effort;
  cubefold::program::Progress& progress;
};

/// Holds the median and the range of measured values.
struct Estimate {
  double value;
  double least;
  double greatest;
};

inline Estimate estimate_of(const cubefold::timing::Times& times) {
  return {times.median(), times.minimum(), times.maximum()};
}

/// Returns the estimate with the greatest value, with the range of all estimates. Requires at least one estimate.
inline Estimate greatest_of(const std::vector<Estimate>& estimates) {
  Estimate result = estimates.front();
  for (const Estimate& estimate : estimates) {
    result.value = std::max(result.value, estimate.value);
    result.least = std::min(result.least, estimate.least);
    result.greatest = std::max(result.greatest, estimate.greatest);
  }
  return result;
}
