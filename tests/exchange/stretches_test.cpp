#include "cubefold/exchange/stretches.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/exchange/lines_phase.hpp"
#include "cubefold/exchange/mixed_radix.hpp"
#include "cubefold/simulation/steps.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr NetworkRules all_rules[] = {{Ports::one, Tie::positive},
                                      {Ports::one, Tie::balanced},
                                      {Ports::all, Tie::positive},
                                      {Ports::all, Tie::balanced}};

class ExchangeStretches : public testing::TestWithParam<const char*> {};

TEST_P(ExchangeStretches, have_the_steps_of_the_phases) {
  const Grid grid = parse_grid(GetParam());
  const Placement placement(grid, parse_placement("identity"));
  for (const auto& rules : all_rules) {
    for (const char* text :
         {"direct", "axes", "binary", "quadrant", "modified-quadrant", "hybrid:4", "hybrid:8"}) {
      const auto method = parse_exchange_method(text);
      const auto phases = radix_phases(method, grid);
      const auto stretches = exchange_stretches(method, placement, rules);
      ASSERT_EQ(stretches.size(), phases.size());
      for (std::size_t i = 0; i < phases.size(); ++i) {
        const ProductPhase phase(grid, phases[i].digits, rules.ports, rules.tie, phases[i].sharing);
        EXPECT_EQ(stretches[i].steps, phase.step_count()) << text << ", phase " << i;
      }
    }
    const LinesPhase lines(grid, rules.ports, rules.tie);
    for (const auto& stretch : exchange_stretches(parse_exchange_method("axis-rotated"), placement, rules))
      EXPECT_EQ(stretch.steps, lines.step_count());
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, ExchangeStretches,
                         testing::Values("line:1", "line:2", "ring:4", "line:64", "ring:16", "ring:64",
                                         "mesh:2x32", "mesh:4x8", "torus:4x8", "torus:4x4x4", "mesh:4x4x2",
                                         "grid:4wx8x2w", "torus:16x2", "hypercube:5", "torus:8x8x8"));

/// Where the messages of axis-rotated along all axes have as many blocks at most.
bool has_equal_extents(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(),
                     [&](const Axis& axis) { return axis.extent == grid.extent(0); });
}

double seconds_of(const std::vector<Stretch>& stretches, const StepModel& model, double bytes) {
  double seconds = 0;
  for (const Stretch& stretch : stretches)
    seconds +=
        static_cast<double>(stretch.steps) *
        (static_cast<double>(stretch.startups) * model.alpha_seconds + stretch.blocks * bytes * model.tau(0));
  return seconds;
}

/// Blocks that leave a rank in all messages, on average.
double counted_blocks(const Schedule& schedule) {
  std::size_t blocks = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) {
      if (message.from != message.to) blocks += message.blocks.size();
    }
  }
  return static_cast<double>(blocks) / static_cast<double>(schedule.rank_count);
}

class StretchesOfAllMethods : public testing::TestWithParam<const char*> {};

// [Calmant] section 5: a step of messages of L bytes takes alpha + L tau.
TEST_P(StretchesOfAllMethods, take_the_time_of_the_schedule_in_the_model_of_steps) {
  const Grid grid = parse_grid(GetParam());
  const Placement placement(grid, parse_placement("identity"));
  for (const auto& rules : all_rules) {
    for (const auto& method : exchange_methods(grid)) {
      if (method.algorithm == ExchangeAlgorithm::axis_rotated && !has_equal_extents(grid)) continue;
      const bool has_more_startups =
          method.algorithm == ExchangeAlgorithm::bruck || method.algorithm == ExchangeAlgorithm::linear;
      if (rules.ports == Ports::all && has_more_startups) continue;
      const StepModel model{3, {2}, 0, rules.ports, rules.tie};
      const auto simulated =
          simulate_steps(placement, exchange_schedule(method, placement, rules), 5, model).total_seconds;
      EXPECT_NEAR(seconds_of(exchange_stretches(method, placement, rules), model, 5), simulated,
                  1e-9 * simulated)
          << to_string(method);
    }
  }
}

// Every step counts as one with the largest messages of any axis.
TEST_P(StretchesOfAllMethods, take_no_less_than_axis_rotated_on_unlike_axes) {
  const Grid grid = parse_grid(GetParam());
  const Placement placement(grid, parse_placement("identity"));
  const auto method = parse_exchange_method("axis-rotated");
  for (const auto& rules : all_rules) {
    const StepModel model{3, {2}, 0, rules.ports, rules.tie};
    const auto simulated =
        simulate_steps(placement, exchange_schedule(method, placement, rules), 5, model).total_seconds;
    EXPECT_GE(seconds_of(exchange_stretches(method, placement, rules), model, 5), simulated * (1 - 1e-9));
  }
}

TEST_P(StretchesOfAllMethods, send_the_blocks_of_the_schedule) {
  const Grid grid = parse_grid(GetParam());
  const Placement placement(grid, parse_placement("identity"));
  for (const auto& method : exchange_methods(grid)) {
    const double counted = counted_blocks(exchange_schedule(method, placement, {}));
    EXPECT_NEAR(sent_blocks(method, placement), counted, 1e-9 * counted) << to_string(method);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, StretchesOfAllMethods,
                         testing::Values("torus:4x4", "mesh:4x4", "mesh:8x8", "hypercube:4", "torus:8x4",
                                         "mesh:3x5", "mesh:3x3", "mesh:4x4x4", "ring:6", "line:7",
                                         "grid:8wx4", "line:1", "line:2"));

TEST(PipelinedStretches, take_the_time_of_the_schedule_in_the_model_of_steps) {
  for (const char* grid : {"line:16", "ring:16", "mesh:4x8", "torus:8x4", "mesh:4x2x4", "hypercube:4"}) {
    const Placement placement(parse_grid(grid), parse_placement("standard,bits=cyclic"));
    for (const auto& rules : all_rules) {
      for (std::uint32_t packets = 1; packets <= placement.rank_count() / 2; packets *= 2) {
        const ExchangeMethod method{ExchangeAlgorithm::cc_cube, {packets}};
        const StepModel model{3, {2}, 0, rules.ports, rules.tie};
        double seconds = 0;
        for (const auto& stretch : exchange_stretches(method, placement, rules))
          seconds += static_cast<double>(stretch.steps) * (3 + 2 * 5 * stretch.blocks);
        const auto schedule = exchange_schedule(method, placement, rules);
        EXPECT_DOUBLE_EQ(seconds, simulate_steps(placement, schedule, 5, model).total_seconds) << grid;
      }
    }
  }
}

TEST(PipelinedStretches, need_a_block_for_every_packet) {
  const Placement line(parse_grid("line:8"), parse_placement("standard"));
  EXPECT_EQ(
      message_of([&] {
        exchange_stretches({ExchangeAlgorithm::cc_cube, {5}}, line, {});
      }),
      "exchange method 'cc-cube:5': pipelined_cc_cube_exchange: 5 packets are not in 1 .. 4, the blocks of a "
      "stage");
}

TEST(LinearStretches, have_the_busiest_link_of_all_pairs) {
  for (const char* grid :
       {"line:7", "line:8", "ring:3", "ring:4", "ring:6", "ring:7", "ring:8", "torus:2x6", "mesh:3x4"}) {
    const Placement placement(parse_grid(grid), parse_placement("identity"));
    const auto method = parse_exchange_method("linear");
    for (const auto& rules : all_rules) {
      const StepModel model{0, {1}, 0, rules.ports, rules.tie};
      const auto simulated = simulate_steps(placement, exchange_schedule(method, placement, rules), 1, model);
      EXPECT_EQ(exchange_stretches(method, placement, rules).front().blocks, simulated.total_seconds) << grid;
    }
  }
}

}  // namespace
}  // namespace cubefold
