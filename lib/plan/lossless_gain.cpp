#include "lossless_gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lossless_times.hpp"

namespace cubefold {

namespace {

using Router = double RouterSeconds::*;

std::vector<Router> possible_routers(const ExchangeModel& model, const Placement& placement,
                                     const Machine& machine) {
  const auto& known = machine.plain_exchanges;
  std::vector<Router> routers{&RouterSeconds::voq, &RouterSeconds::transit, &RouterSeconds::rr};
  if (known.empty()) return routers;
  const RouterSeconds linear = mpi_seconds(placement, known.back().block_bytes, model).linear;
  const auto error = [&](Router router) {
    return std::abs(std::log(linear.*router / known.back().linear_seconds));
  };
  const double least = error(std::ranges::min(routers, {}, error));
  std::erase_if(routers, [&](Router router) { return error(router) > least; });
  return routers;
}

}  // namespace

LosslessGain lossless_gain(const ExchangePlan& plan, const Placement& placement, const Machine& machine) {
  const MpiSeconds mpi = mpi_seconds(placement, plan.block_bytes, plan.model);
  const auto times = plain_exchange_times(machine, plan.block_bytes);
  const bool is_linear_fastest =
      times ? times->linear_seconds < times->alltoall_seconds : mpi.linear.transit <= mpi.bruck.transit;
  LosslessGain gain{std::numeric_limits<double>::infinity(), 0, is_linear_fastest};
  for (const Router router : possible_routers(plan.model, placement, machine)) {
    double seconds = std::min(mpi.linear.*router, mpi.bruck.*router);
    if (times) seconds = std::min({seconds, times->alltoall_seconds, times->linear_seconds});
    gain.least = std::min(gain.least, seconds / (plan.choice().routers.*router));
    gain.most = std::max(gain.most, seconds / (plan.choice().routers.*router));
  }
  return gain;
}

}  // namespace cubefold
