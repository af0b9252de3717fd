#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold {

/// The gain of a plan's choice over MPI's all-to-alls on a lossless network: its least and its greatest value over the
/// kinds of routers that the network may have.
struct LosslessGain {
  double least;
  double most;
  bool is_linear_fastest;  ///< `linear` is faster than MPI's own all-to-all
};

/// Returns the gain of the plan, which is made with the model of the machine. It is one over the least of the predicted
/// and, if the machine file has them, of the measured times of MPI's all-to-alls. The routers are those whose
/// prediction for `linear` is closest to its time in the file for the longest blocks, or all if it has none. Does not
/// communicate.
CUBEFOLD_API LosslessGain lossless_gain(const ExchangePlan& plan, const Placement& placement,
                                        const Machine& machine);

}  // namespace cubefold
