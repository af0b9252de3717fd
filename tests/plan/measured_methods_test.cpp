// The methods that a program's calls compare are those of two models, which differ in the time that a start-up takes.

#include "plan/measured_methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cubefold {
namespace {

/// Has the times of a 4x4 torus of 10 Mbit/s that `cubefold-calibrate` measured, as docs/machine.md shows them.
ExchangeModel emulated_network(Ports ports) {
  return {.alpha_seconds = 232e-6,
          .gap_seconds = 19e-6,
          .tau_seconds_per_byte = {850e-9},
          .barrier_seconds = 1e-3,
          .network = {ports, Tie::balanced}};
}

std::vector<std::string> names_of(const std::vector<ExchangeCandidate>& methods) {
  std::vector<std::string> names;
  for (const ExchangeCandidate& each : methods) names.push_back(to_string(each.method));
  return names;
}

std::vector<std::string> measured_on(const std::string& grid, std::size_t block_bytes,
                                     const ExchangeModel& model) {
  return names_of(
      measured_methods(Placement(parse_grid(grid), parse_placement("identity")), block_bytes, model, 3));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

TEST(MeasuredMethods, begin_with_the_best_of_the_model) {
  const Placement placement(parse_grid("torus:4x4"), parse_placement("identity"));
  const ExchangeModel model = emulated_network(Ports::one);
  const auto names = measured_on("torus:4x4", 64, model);
  const auto best = names_of(plan_exchange(placement, 64, model).candidates);
  ASSERT_GE(names.size(), 3U);
  EXPECT_TRUE(std::equal(names.begin(), names.begin() + 3, best.begin()));
}

// Both models call direct, linear and axis-rotated the best. On an emulated network, axes is faster than all of them.
TEST(MeasuredMethods, have_others_of_the_second_model_than_those_of_the_first) {
  const auto names = measured_on("torus:4x4", 256, emulated_network(Ports::all));
  EXPECT_GT(names.size(), 3U);
  EXPECT_TRUE(contains(names, "axes"));
}

TEST(MeasuredMethods, have_axes_wherever_start_ups_matter) {
  for (const double gap_over_alpha : {0.01, 0.6, 1.0, 2.0}) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      ExchangeModel model = emulated_network(ports);
      model.gap_seconds = gap_over_alpha * model.alpha_seconds;
      for (const std::string grid :
           {"torus:4x4", "mesh:4x4", "torus:8x8", "mesh:8x8", "hypercube:2", "ring:5"})
        EXPECT_TRUE(contains(measured_on(grid, 16, model), "axes")) << grid << ' ' << gap_over_alpha;
    }
  }
}

TEST(MeasuredMethods, are_three_at_most_where_start_ups_hardly_matter) {
  for (const std::string grid : {"torus:4x4", "mesh:4x4", "torus:8x8", "mesh:8x8", "ring:5"}) {
    const auto names = measured_on(grid, 64 << 10, emulated_network(Ports::one));
    EXPECT_GE(names.size(), 1U) << grid;
    EXPECT_LE(names.size(), 3U) << grid;
  }
}

TEST(MeasuredMethods, have_each_method_once_and_none_but_axes_that_is_far_from_the_best) {
  for (const std::string grid : {"torus:4x4", "mesh:4x4", "torus:8x8", "mesh:3x7", "hypercube:4"}) {
    for (const std::size_t bytes : {16U, 256U, 4096U}) {
      const ExchangeModel model = emulated_network(Ports::one);
      const Placement placement(parse_grid(grid), parse_placement("identity"));
      ExchangeModel careful = model;
      careful.gap_seconds = careful.alpha_seconds;
      const double most = 1.75 * plan_exchange(placement, bytes, careful).choice().seconds;
      const auto methods = measured_methods(placement, bytes, model, 100);
      for (const ExchangeCandidate& each : methods) {
        const auto name = to_string(each.method);
        EXPECT_EQ(std::ranges::count(methods, each.method, &ExchangeCandidate::method), 1) << name;
        EXPECT_TRUE(name == "axes" || each.seconds <= most) << grid << ' ' << name;
        EXPECT_FALSE(each.oversubscribes) << name;
      }
    }
  }
}

TEST(MeasuredMethods, exist_on_networks_without_axes) {
  const auto names = measured_on("torus:4x4,cut=0-1", 16, emulated_network(Ports::all));
  EXPECT_FALSE(names.empty());
  EXPECT_FALSE(contains(names, "axes"));
}

TEST(MeasuredMethods, exist_for_one_node_and_for_blocks_without_bytes) {
  EXPECT_FALSE(measured_on("line:1", 16, emulated_network(Ports::one)).empty());
  EXPECT_FALSE(measured_on("ring:4", 0, emulated_network(Ports::one)).empty());
}

}  // namespace
}  // namespace cubefold
