#include "simulation/wormhole_traffic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "cubefold/topology/link_loads.hpp"
#include "support/lcc_patterns.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

using namespace lcc_patterns;

/// Returns traffic in which the two nodes of a line send to each other.
WormholeTraffic to_and_fro(double load) {
  return {{GridNode{1}, GridNode{0}}, load, 20, 20000, 1000000, 7};
}

/// Returns the mean latency in cycles if messages contend only with others of the same node. The node is then a queue
/// with one server, random arrivals and the fixed service time flits + 1. Source: the formula of Pollaczek and
/// Khinchine.
double latency_without_contention(double load, double flit_count, double mean_hops) {
  const double service = flit_count + 1;
  const double use = load / flit_count * service;
  return mean_hops + service + use * service / (2 * (1 - use));
}

TEST(MeasureTraffic, of_one_sender_per_link_is_the_queue_of_fixed_service) {
  const Grid grid = parse_grid("line:2");
  for (const double load : {0.1, 0.3, 0.6, 0.8}) {
    const auto measured = measure_traffic(grid, dimension_order(grid), to_and_fro(load));
    EXPECT_NEAR(measured.latency_cycles, latency_without_contention(load, 20, 1),
                0.03 * measured.latency_cycles);
    EXPECT_NEAR(measured.throughput, load, 0.02 * load);
    EXPECT_TRUE(measured.is_sustainable());
  }
}

TEST(MeasureTraffic, on_one_link_ends_at_20_flits_in_21_cycles) {
  const Grid grid = parse_grid("line:2");
  const auto measured = measure_traffic(grid, dimension_order(grid), to_and_fro(1.2));
  EXPECT_NEAR(measured.throughput, 20.0 / 21, 1e-3);
  EXPECT_FALSE(measured.is_sustainable());
  EXPECT_GT(measured.queued_at_last, 2 * measured.queued_at_first);
}

TEST(MeasureTraffic, counts_per_node_that_sends) {
  const Grid grid = parse_grid("line:4");
  const WormholeTraffic traffic{{GridNode{1}, GridNode{1}, GridNode{2}, GridNode{3}}, 0.2};
  EXPECT_NEAR(measure_traffic(grid, dimension_order(grid), traffic).throughput, 0.2, 0.02);
}

TEST(MeasureTraffic, is_the_same_for_the_same_seed_only) {
  const Grid grid = parse_grid("hypercube:4");
  WormholeTraffic traffic{{}, 0.1};
  for (std::uint32_t node = 0; node < 16; ++node) traffic.destinations.push_back(GridNode{15 - node});
  traffic.measured_cycles = 10000;
  const auto latency = [&](std::uint64_t seed) {
    traffic.seed = seed;
    return measure_traffic(grid, dimension_order(grid), traffic).latency_cycles;
  };
  EXPECT_EQ(latency(1), latency(1));
  EXPECT_NE(latency(1), latency(2));
}

TEST(MeasureTraffic, has_an_error_that_covers_the_spread_over_seeds) {
  const Grid grid = parse_grid("line:2");
  int within = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    WormholeTraffic traffic = to_and_fro(0.5);
    traffic.seed = seed;
    traffic.measured_cycles = 100000;
    const auto measured = measure_traffic(grid, dimension_order(grid), traffic);
    const double off = measured.latency_cycles - latency_without_contention(0.5, 20, 1);
    if (std::abs(off) < 2 * measured.latency_error_cycles) ++within;
  }
  EXPECT_GE(within, 15);
  EXPECT_LE(within, 20);
}

TEST(MeasureTraffic, is_refused_where_it_makes_no_sense) {
  const Grid grid = parse_grid("line:2");
  const auto measure = [&](auto change) {
    WormholeTraffic traffic = to_and_fro(0.1);
    traffic.measured_cycles = 100;
    change(traffic);
    measure_traffic(grid, dimension_order(grid), traffic);
  };
  EXPECT_NO_THROW(measure([](WormholeTraffic&) {}));
  for (const double load :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(measure([&](WormholeTraffic& t) { t.load = load; }), std::invalid_argument) << load;
  }
  EXPECT_THROW(measure([](WormholeTraffic& t) { t.measured_cycles = 9; }), std::invalid_argument);
  EXPECT_THROW(measure([](WormholeTraffic& t) { t.port_count = 0; }), std::invalid_argument);
  EXPECT_THROW(measure([](WormholeTraffic& t) { t.flit_count = 0; }), std::invalid_argument);
  EXPECT_THROW(measure([](WormholeTraffic& t) { t.destinations.pop_back(); }), std::invalid_argument);
  EXPECT_THROW(measure([](WormholeTraffic& t) { t.destinations[1] = GridNode{2}; }), std::invalid_argument);
  EXPECT_THROW(
      measure([](WormholeTraffic& t) { t.destinations[0] = GridNode{0}, t.destinations[1] = GridNode{1}; }),
      std::invalid_argument);
}

TEST(DestinationsOf, follow_the_ranks_to_their_nodes) {
  const Placement placement(parse_grid("hypercube:2"), parse_placement("identity,order=1-0"));
  const std::vector<Rank> next{Rank{1}, Rank{2}, Rank{3}, Rank{0}};
  // Rank 1 runs on node 2, and rank 2 runs on node 1.
  EXPECT_EQ(destinations_of(placement, next),
            (std::vector<GridNode>{GridNode{2}, GridNode{3}, GridNode{1}, GridNode{0}}));
  EXPECT_THROW(destinations_of(placement, std::span(next).first(3)), std::invalid_argument);
  EXPECT_THROW(destinations_of(placement, std::vector<Rank>(4, Rank{4})), std::invalid_argument);
}

// Holds the patterns, orders and routers of [Lcc] section 6.1, figures 5 to 7.
class LccFigures : public testing::Test {
 protected:
  struct Pattern {
    std::uint32_t (*to)(std::uint32_t);
    Order best;
  };
  const std::vector<Pattern> patterns{{transpose, best_for_transpose},
                                      {bit_reversal, best_for_reversals},
                                      {reverse_flip, best_for_reversals}};

  WormholeMeasurement at(double load, const std::vector<GridNode>& destinations) const {
    return measure_traffic(cube, e_cube, {destinations, load, 20, 5000, 40000});
  }

  std::uint64_t contention(const std::vector<GridNode>& destinations) const {
    LinkLoads loads(cube, Tie::positive);
    for (std::uint32_t node = 0; node < 256; ++node) loads.add(GridNode{node}, destinations[node]);
    return loads.busiest();
  }

  const Grid cube = parse_grid("hypercube:8");
  const Router e_cube = dimension_order(cube);
  const Router p_cube = negative_first(cube);
};

TEST_F(LccFigures, are_for_orders_of_the_contention_that_the_paper_names) {
  for (const Pattern& pattern : patterns) {
    EXPECT_EQ(contention(destinations(pattern.to, as_it_is)), 8U);
    EXPECT_EQ(contention(destinations(pattern.to, pattern.best)), 1U);
    EXPECT_EQ(contention(destinations(pattern.to, best_for_all)), pattern.to == transpose ? 2U : 1U);
  }
}

TEST_F(LccFigures, begin_at_a_latency_of_distance_and_message_length) {
  for (const Pattern& pattern : patterns) {
    // 240 nodes send over 4.27 hops on average, so that a message of 20 flits takes 25.3 cycles.
    EXPECT_NEAR(at(0.005, destinations(pattern.to, as_it_is)).latency_cycles, 25.3, 1.0);
    EXPECT_NEAR(at(0.005, destinations(pattern.to, pattern.best)).latency_cycles, 25.3, 0.3);
  }
}

TEST_F(LccFigures, have_e_cube_saturate_below_one_eighth) {
  for (const Pattern& pattern : patterns) {
    const auto unordered = destinations(pattern.to, as_it_is);
    EXPECT_TRUE(at(0.08, unordered).is_sustainable());
    EXPECT_FALSE(at(0.125, unordered).is_sustainable());
  }
}

TEST_F(LccFigures, have_the_best_order_of_each_pattern_behave_as_if_nothing_contended) {
  for (const Pattern& pattern : some_of(patterns, 4)) {
    const auto ordered = destinations(pattern.to, pattern.best);
    for (const double load : {0.4, 0.85}) {
      const auto measured = at(load, ordered);
      EXPECT_NEAR(measured.latency_cycles, latency_without_contention(load, 20, 64.0 / 15),
                  0.06 * measured.latency_cycles);
      EXPECT_NEAR(measured.throughput, load, 0.01 * load);
      EXPECT_TRUE(measured.is_sustainable());
    }
    EXPECT_FALSE(at(1.1, ordered).is_sustainable());
  }
}

// The paper reports about 0.3 flits per node and cycle. The bound is 10 flits in 21 cycles.
TEST_F(LccFigures, have_the_common_order_sustain_more_than_the_paper_says_for_transpose) {
  const auto ordered = destinations(transpose, best_for_all);
  EXPECT_TRUE(at(0.3, ordered).is_sustainable());
  EXPECT_TRUE(at(0.43, ordered).is_sustainable());
  EXPECT_FALSE(at(0.5, ordered).is_sustainable());
  EXPECT_TRUE(at(0.9, destinations(bit_reversal, best_for_all)).is_sustainable());
  EXPECT_TRUE(at(0.9, destinations(reverse_flip, best_for_all)).is_sustainable());
}

TEST_F(LccFigures, have_p_cube_do_well_for_reverse_flip_and_worst_for_bit_reversal) {
  const auto p_cube_sustains = [&](auto pattern, double load) {
    return measure_traffic(cube, p_cube, {destinations(pattern, as_it_is), load, 20, 5000, 40000})
        .is_sustainable();
  };
  EXPECT_TRUE(p_cube_sustains(reverse_flip, 0.2));
  EXPECT_FALSE(at(0.2, destinations(reverse_flip, as_it_is)).is_sustainable());
  EXPECT_FALSE(p_cube_sustains(bit_reversal, 0.1));
  EXPECT_TRUE(at(0.1, destinations(bit_reversal, as_it_is)).is_sustainable());
}

}  // namespace
}  // namespace cubefold
