#include "plan/vector_plan.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <array>
#include <string>
#include <utility>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr std::array all_collectives{VectorCollective::allgather, VectorCollective::reduce_scatter,
                                     VectorCollective::allreduce};

ExchangeModel model_with(Ports ports) {
  ExchangeModel model{1e-6, 0, {1e-9}, 0, {ports, Tie::balanced}};
  model.copy_seconds_per_byte = 0;
  return model;
}

/// Returns all grids of up to 16 nodes with up to three axes, as tori and as meshes.
std::vector<Grid> grids_to_16_nodes() {
  std::vector<Grid> grids;
  for (int x = 1; x <= 16; ++x) {
    for (int y = x; x * y <= 16; ++y) {
      for (int z = y; x * y * z <= 16; ++z) {
        for (const char* kind : {"torus", "mesh"}) {
          grids.push_back(parse_grid(std::string(kind) + ':' + std::to_string(x) + 'x' + std::to_string(y) +
                                     'x' + std::to_string(z)));
        }
      }
    }
  }
  return grids;
}

TEST(VectorBound, is_kept_by_all_methods_on_grids_of_up_to_16_nodes) {
  for (const Grid& grid : grids_to_16_nodes()) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      for (const VectorCollective collective : all_collectives) {
        const VectorPlan plan = plan_vector(collective, Placement(grid, {}), 1 << 20, model_with(ports));
        for (const VectorCandidate& each : plan.candidates) {
          SCOPED_TRACE(to_string(grid) + ' ' + to_string(each.method));
          EXPECT_GE(each.vectors, plan.bound.vectors - 1e-12);
          EXPECT_GE(each.cost.startup_count(), plan.bound.startups);
          EXPECT_GE(each.seconds, plan.bound_seconds() * (1 - 1e-12));
        }
      }
    }
  }
}

TEST(VectorBound, is_reached_by_buckets_on_tori_and_in_start_ups_by_halving) {
  for (const char* name : {"ring:7", "torus:3x5", "torus:4x4", "torus:3x3x3", "torus:8x8"}) {
    const Grid grid = parse_grid(name);
    for (const Ports ports : {Ports::one, Ports::all}) {
      // On axes of unequal lengths, channels that are on a short axis wait for those on a long one.
      if (ports == Ports::all && std::string(name) == "torus:3x5") continue;
      const std::size_t channels = ports == Ports::all ? 2 * static_cast<std::size_t>(grid.axis_count()) : 1;
      const VectorMethod bucket{VectorAlgorithm::bucket, channels};
      const auto plan =
          plan_vector(VectorCollective::allreduce, Placement(grid, {}), 1 << 20, model_with(ports), {bucket});
      EXPECT_NEAR(plan.choice().vectors, plan.bound.vectors, 1e-12) << name << ' ' << to_string(ports);
    }
  }
  const Placement placement(parse_grid("torus:8x8"), {});
  const auto halving = plan_vector(VectorCollective::allgather, placement, 1, model_with(Ports::one),
                                   {parse_vector_method("halving-swing")});
  EXPECT_EQ(halving.choice().cost.startup_count(), halving.bound.startups);
}

TEST(VectorPlan, takes_whole_vectors_for_short_ones_and_buckets_for_long_ones) {
  const Placement placement(parse_grid("torus:8x8"), {});
  const auto chosen = [&](Ports ports, std::size_t bytes) {
    return to_string(
        plan_vector(VectorCollective::allreduce, placement, bytes, model_with(ports)).choice().method);
  };
  EXPECT_EQ(chosen(Ports::one, 8), "whole-cube");
  EXPECT_EQ(chosen(Ports::one, 32 << 10), "halving-swing");
  EXPECT_EQ(chosen(Ports::one, 64 << 20), "bucket");
  EXPECT_EQ(chosen(Ports::all, 64 << 20), "bucket:4");
}

TEST(VectorPlan, takes_the_time_of_steps_bytes_channels_and_reductions) {
  const Placement placement(parse_grid("ring:4"), {});
  ExchangeModel model = model_with(Ports::all);
  model.gap_seconds = 1e-7;
  model.copy_seconds_per_byte = 1e-10;
  const auto seconds = [&](VectorCollective collective, const char* method) {
    return plan_vector(collective, placement, 8000, model, {parse_vector_method(method)}).choice().seconds;
  };
  // Three steps of two channels, in each of which a link carries an eighth of the vector, and three quarters of the
  // vector are reduced.
  EXPECT_NEAR(seconds(VectorCollective::reduce_scatter, "bucket:2"),
              3 * (1e-6 + 2 * 1e-7 + 1000 * 1e-9) + 6000 * 1e-10, 1e-12);
  EXPECT_NEAR(seconds(VectorCollective::allgather, "bucket:2"), 3 * (1e-6 + 2 * 1e-7 + 1000 * 1e-9), 1e-12);
}

// Every node of hyperx:4x4 has 6 links. In each step of the six channels of `direct` all of them are busy, and none has
// two messages.
TEST(VectorPlan, takes_all_links_of_full_meshes_at_the_bound) {
  for (const auto& [network, channels] : {std::pair{"hyperx:4x4", 6}, {"hyperx:5x5", 8}, {"hyperx:5", 4}}) {
    const Placement placement(parse_grid(network), {});
    const VectorPlan plan =
        plan_vector(VectorCollective::allreduce, placement, std::size_t{64} << 20, model_with(Ports::all));
    EXPECT_EQ(to_string(plan.choice().method), fmt::format("direct:{}", channels));
    EXPECT_DOUBLE_EQ(plan.choice().vectors, plan.bound.vectors) << network;
  }
}

TEST(VectorPlan, bounds_networks_with_a_route_table_by_the_rates_of_the_poorest_node) {
  const auto bound_of = [](const char* network, Ports ports) {
    return vector_bound(VectorCollective::allgather, parse_grid(network), ports).vectors;
  };
  EXPECT_DOUBLE_EQ(bound_of("hyperx:4x4", Ports::one), 15.0 / 16);
  EXPECT_DOUBLE_EQ(bound_of("hyperx:4x4", Ports::all), 15.0 / 16 / 6);
  EXPECT_DOUBLE_EQ(bound_of("torus:4x4,cut=0-1", Ports::all), 15.0 / 16 / 3);
}

}  // namespace
}  // namespace cubefold
