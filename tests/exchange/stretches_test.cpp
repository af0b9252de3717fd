#include "cubefold/exchange/stretches.hpp"

#include <gtest/gtest.h>

#include "cubefold/plan/place.hpp"
#include "cubefold/simulation/steps.hpp"

namespace cubefold {
namespace {

constexpr double alpha = 1e-3;
constexpr double tau = 1e-6;
constexpr std::size_t block_bytes = 100;

double seconds_of(const std::vector<Stretch>& stretches) {
  double seconds = 0;
  for (const Stretch& stretch : stretches) {
    seconds += static_cast<double>(stretch.steps) * (static_cast<double>(stretch.startups) * alpha +
                                                     stretch.blocks * static_cast<double>(block_bytes) * tau);
  }
  return seconds;
}

double mean_sent_blocks(const Schedule& schedule) {
  double blocks = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) blocks += static_cast<double>(message.blocks.size());
  }
  return blocks / static_cast<double>(schedule.rank_count);
}

/// Whether the axis-rotated exchange has messages of one size: elsewhere its stretches have the mean, rounded up.
bool shares_evenly(const Grid& grid) {
  for (const Axis& axis : grid.axes()) {
    if (axis.extent != grid.extent(0) || axis.extent % grid.axes().size() != 0) return false;
  }
  return true;
}

class StretchesOnGrid : public testing::TestWithParam<const char*> {};

TEST_P(StretchesOnGrid, cost_what_the_schedule_costs_step_by_step_with_one_port) {
  const Placement placement = place(parse_grid(GetParam()), "identity");
  const NetworkRules network{Ports::one, Tie::balanced};
  for (const ExchangeMethod& method : exchange_methods(placement.grid())) {
    if (method.algorithm == ExchangeAlgorithm::axis_rotated && !shares_evenly(placement.grid())) continue;
    const Schedule schedule = exchange_schedule(method, placement, network);
    const auto simulated =
        simulate_steps(placement, schedule, block_bytes, {alpha, {tau}, 0, Ports::one, Tie::balanced});
    const double seconds = seconds_of(exchange_stretches(method, placement, network));
    EXPECT_NEAR(seconds, simulated.total_seconds, 1e-9 * simulated.total_seconds) << to_string(method);
    EXPECT_NEAR(sent_blocks(method, placement), mean_sent_blocks(schedule), 1e-9) << to_string(method);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, StretchesOnGrid,
                         testing::Values("torus:4x4", "mesh:4x4", "mesh:8x8", "torus:8x8", "hypercube:3",
                                         "torus:8x4", "mesh:3x5", "ring:6", "line:7", "grid:8wx4",
                                         "torus:5x3", "line:1"));

}  // namespace
}  // namespace cubefold
