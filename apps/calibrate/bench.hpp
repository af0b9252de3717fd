#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "program/progress.hpp"
#include "timing/times.hpp"

/// How long a calibration may take.
struct Effort {
  int repetitions = 3;
  double stream_seconds = 0.3;  ///< of one stream, about
};

/// What every measurement needs: a communicator whose ranks are the nodes of the grid.
struct Bench {
  MPI_Comm comm;
  const cubefold::Grid& grid;
  Effort effort;
  cubefold::program::Progress& progress;
};

/// A median and the range of what was measured.
struct Estimate {
  double value;
  double least;
  double greatest;
};

Estimate estimate_of(const cubefold::timing::Times& times);

/// That of the greatest value, with the range of all. Requires one.
Estimate greatest_of(const std::vector<Estimate>& estimates);
