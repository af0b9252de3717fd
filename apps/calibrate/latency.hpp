#pragma once

#include "calibrate/bench.hpp"

/// Half the time of a byte to a neighbour and back, over some pairs of neighbours on all axes, one pair after the
/// other. Collective. Requires two nodes.
Estimate measured_alpha(const Bench& bench);

/// MPI_Barrier, several in a row. Collective.
Estimate measured_barrier(const Bench& bench);
