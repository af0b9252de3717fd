#pragma once

#include "blocks.hpp"
#include "plan/unequal_tuning.hpp"

namespace cubefold::mpi {

/// What moves the blocks of a blocking exchange: MPI's own collective function, or messages between nodes or slots. The
/// steps of a schedule, which also move blocks of requests and packets, are an AlltoallPlan.
class Mover {
 public:
  Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;
  virtual ~Mover() = default;

  /// Collective: completes the exchanges that are under way, and exchanges the blocks of valid sides. The sizes are
  /// those of all processes, and are not compared.
  virtual void run(const Sides& sides, const UnequalSizes& sizes) = 0;
};

}  // namespace cubefold::mpi
