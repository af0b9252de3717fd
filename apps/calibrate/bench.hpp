#pragma once

#include <mpi.h>

#include <string_view>
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

Estimate estimate_of(const cubefold::timing::Times& times);

/// Returns the estimate with the greatest value, with the range of all estimates. Requires at least one.
Estimate greatest_of(const std::vector<Estimate>& estimates);
