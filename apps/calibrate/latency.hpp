#pragma once

#include "calibrate/bench.hpp"

/// Measures half the time of a round trip of one byte between neighbours. It takes some pairs of neighbours on all
/// axes, one pair after the other. All processes must call this. Requires at least two nodes.
Estimate measured_alpha(const Bench& bench);

/// Measures the time of MPI_Barrier as the mean of several in a row. All processes must call this.
Estimate measured_barrier(const Bench& bench);
