#pragma once

#include <mpi.h>

#include "support/sweep.hpp"

namespace cubefold::mpi {

/// Makes the sweeps of all processes choose the cases that process 0 chooses. All processes must call this.
inline void share_seed_of_sweeps() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned seed = SweepSeed::of_process().unprinted_value();
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  if (rank != 0) SweepSeed::of_process().replace_by(seed);
}

}  // namespace cubefold::mpi
