#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "apps/simulated_streams.hpp"
#include "calibrate/check/judgement.hpp"
#include "calibrate/check/map_check.hpp"
#include "calibrate/check/plan.hpp"
#include "calibrate/check/prediction.hpp"
#include "support/sweep.hpp"

using namespace cubefold::map_check;  // NOLINT(google-build-using-namespace)
using cubefold::Grid;
using cubefold::GridNode;
using cubefold::Tie;

namespace {

using Swap = std::pair<std::size_t, std::size_t>;

NodeOfHost all_nodes(const Grid& network) {
  NodeOfHost nodes;
  for (std::size_t node = 0; node < network.node_count(); ++node)
    nodes.push_back(static_cast<GridNode>(node));
  return nodes;
}

/// Returns whether all pairs of hosts are equally far apart in two maps, as in mirror images.
bool have_equal_distances(const Grid& network, const NodeOfHost& one, const NodeOfHost& other) {
  for (std::size_t a = 0; a < one.size(); ++a)
    for (std::size_t b = 0; b < one.size(); ++b)
      if (distance_hops(network, one[a], one[b]) != distance_hops(network, other[a], other[b])) return false;
  return true;
}

Judgement judged(const Truth& truth, const NodeOfHost& map, std::uint64_t seed) {
  MapCheck check(truth.network, map);
  for (auto rounds = check.next_rounds(); !rounds.empty(); rounds = check.next_rounds())
    check.add(observed(truth, rounds, ++seed));
  return check.judgement();
}

}  // namespace

struct Case {
  const char* network;
  bool one_port;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.network << (each.one_port ? ", one port" : ", all ports");
}

class MapCheckOnNetwork : public testing::TestWithParam<Case> {
 protected:
  const Grid network_ = cubefold::parse_grid(GetParam().network);
  const NodeOfHost map_ = all_nodes(network_);

  Truth truth_of(NodeOfHost nodes, Tie tie) const {
    return {network_, std::move(nodes), tie, GetParam().one_port};
  }

  /// Returns some of three swaps that are the same every time.
  std::vector<Swap> some_swaps() const {
    std::vector<Swap> swaps;
    for (std::size_t one = 0; one < map_.size(); ++one)
      for (std::size_t other = one + 1; other < map_.size(); ++other) swaps.emplace_back(one, other);
    std::mt19937_64 random(7);
    while (swaps.size() > 3) {
      std::swap(swaps[random() % swaps.size()], swaps.back());
      swaps.pop_back();
    }
    return cubefold::some_of(swaps, 3);
  }
};

TEST_P(MapCheckOnNetwork, is_silent_if_the_map_is_right) {
  for (const Tie tie : {Tie::balanced, Tie::positive}) {
    const Judgement judgement = judged(truth_of(map_, tie), map_, 1000);
    EXPECT_EQ(judgement.verdict, Verdict::agrees);
    EXPECT_EQ(judgement.contradictions, 0);
  }
}

TEST_P(MapCheckOnNetwork, finds_every_swap_that_changes_a_distance_or_swaps_that_are_equal_to_it) {
  for (const auto& [one, other] : some_swaps()) {
    const NodeOfHost nodes = with_swapped(map_, one, other);
    if (have_equal_distances(network_, map_, nodes)) continue;
    const Tie tie = (one + other) % 2 == 0 ? Tie::balanced : Tie::positive;
    const Judgement judgement = judged(truth_of(nodes, tie), map_, one * 1000 + other);
    ASSERT_EQ(judgement.verdict, Verdict::swapped) << one << " and " << other;
    EXPECT_TRUE(std::ranges::count(judgement.swaps, Swap(one, other)) == 1) << one << " and " << other;
    for (const auto& [first, second] : judgement.swaps)
      EXPECT_TRUE(have_equal_distances(network_, nodes, with_swapped(map_, first, second)))
          << one << " and " << other << " look like " << first << " and " << second;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MapCheckOnNetwork,
                         testing::Values(Case{"ring:6", false}, Case{"ring:8", true}, Case{"mesh:2x3", true},
                                         Case{"mesh:3x3", false}, Case{"mesh:4x4", true},
                                         Case{"torus:3x4", false}, Case{"torus:4x4", false},
                                         Case{"torus:4x4", true}, Case{"torus:5x3", true},
                                         Case{"torus:3x3x3", false}, Case{"hypercube:4", true},
                                         Case{"hyperx:4x3", false}, Case{"torus:4x4,cut=0-1", true},
                                         Case{"torus:4x8~4", false}));

/// Returns random positions on a network, some of which are left out.
NodeOfHost some_nodes(const Grid& network, std::size_t count, std::uint64_t seed) {
  NodeOfHost nodes = all_nodes(network);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) std::swap(nodes[i], nodes[i + random() % (nodes.size() - i)]);
  nodes.resize(count);
  return nodes;
}

TEST(MapCheck, finds_swaps_among_hosts_in_any_order_on_a_network_with_holes) {
  const Grid network = cubefold::parse_grid("torus:6x5");
  for (std::size_t seed = 0; seed < 2; ++seed) {
    const NodeOfHost map = some_nodes(network, 20, seed);
    const Swap swap(seed, 19 - seed);
    EXPECT_EQ(judged({network, map}, map, seed).verdict, Verdict::agrees);
    const Judgement judgement = judged({network, with_swapped(map, swap.first, swap.second)}, map, seed);
    EXPECT_EQ(judgement.swaps, std::vector{swap});
  }
}

TEST(MapCheck, finds_a_swap_of_hosts_of_two_nodes_that_have_two_hosts_each) {
  const Grid network = cubefold::parse_grid("torus:4x4");
  NodeOfHost map = all_nodes(network);
  for (const GridNode node : all_nodes(network)) map.push_back(node);
  EXPECT_EQ(judged({network, map}, map, 1).verdict, Verdict::agrees);
  EXPECT_EQ(judged({network, with_swapped(map, 3, 19)}, map, 1).verdict, Verdict::agrees);  // both on node 3
  const Judgement judgement = judged({network, with_swapped(map, 3, 22)}, map, 1);
  EXPECT_EQ(judgement.verdict, Verdict::swapped);
  EXPECT_EQ(std::ranges::count(judgement.swaps, Swap(3, 22)), 1);
}

TEST(MapCheck, does_not_guess_if_the_map_is_wrong_in_many_places) {
  for (const char* name : {"torus:4x4", "mesh:4x5"}) {
    const Grid network = cubefold::parse_grid(name);
    const NodeOfHost nodes = some_nodes(network, network.node_count(), 1);
    const Judgement judgement = judged({network, nodes}, all_nodes(network), 1);
    EXPECT_EQ(judgement.verdict, Verdict::contradicted) << name;
    EXPECT_TRUE(judgement.swaps.empty());
    EXPECT_FALSE(judgement.suspects.empty());
  }
}

TEST(MapCheck, contradicts_a_torus_whose_messages_never_meet_and_a_mesh_that_is_called_a_torus) {
  const Grid torus = cubefold::parse_grid("torus:4x5");
  const Grid full = cubefold::parse_grid("hyperx:20x1");
  const Grid mesh = cubefold::parse_grid("mesh:4x5");
  const NodeOfHost map = all_nodes(torus);
  for (const Grid& network : {full, mesh}) {
    MapCheck check(torus, map);
    for (auto rounds = check.next_rounds(); !rounds.empty(); rounds = check.next_rounds())
      check.add(observed({network, map}, rounds, 3));
    EXPECT_EQ(check.judgement().verdict, Verdict::contradicted) << to_string(network);
  }
}

TEST(MapCheck, accepts_mirror_images_which_no_measurement_distinguishes) {
  const Grid torus = cubefold::parse_grid("torus:6x5");
  NodeOfHost mirrored;
  for (const GridNode node : all_nodes(torus)) {
    const std::vector<std::uint32_t> place{(8 - torus.coordinate(node, 0)) % 6,
                                           (torus.coordinate(node, 1) + 3) % 5};
    mirrored.push_back(torus.node_at(place));
  }
  EXPECT_EQ(judged({torus, mirrored}, all_nodes(torus), 1).verdict, Verdict::agrees);
}

TEST(MapCheck, measures_doubtful_rounds_again_so_that_noise_of_a_moment_is_no_contradiction) {
  const Grid network = cubefold::parse_grid("torus:4x4");
  const Truth truth{network, all_nodes(network)};
  MapCheck check(network, truth.nodes);
  auto first = observed(truth, check.next_rounds(), 1);
  for (const std::size_t disturbed : {2U, 5U})
    for (auto& seconds : first[disturbed].seconds)
      for (double& each : seconds) each *= 5;
  const std::vector<Round> doubtful{first[2].round, first[5].round};
  check.add(std::move(first));
  EXPECT_NE(check.judgement().verdict, Verdict::agrees);
  EXPECT_EQ(check.next_rounds(), doubtful);
  check.add(observed(truth, doubtful, 2));
  EXPECT_EQ(check.judgement().verdict, Verdict::agrees);
  EXPECT_TRUE(check.next_rounds().empty());
}

TEST(MapCheck, asks_for_nothing_if_no_swap_could_be_noticed) {
  for (const char* name : {"ring:2", "ring:3", "line:2"}) {
    const Grid network = cubefold::parse_grid(name);
    MapCheck check(network, all_nodes(network));
    EXPECT_TRUE(check.next_rounds().empty()) << name;
    EXPECT_EQ(check.judgement().verdict, Verdict::agrees) << name;
  }
}

/// Returns the observation of one repetition.
Observation once(const Round& round, const std::vector<double>& factors) {
  return {round, std::vector<double>(round.size(), 1), {factors}};
}

TEST(Prediction, names_streams_that_share_a_link_and_streams_that_share_a_host) {
  const Grid line = cubefold::parse_grid("line:5");
  const Round round{{0, 2}, {1, 3}, {4, 3}, {2, 0}};
  Routes routes(line);
  const Prediction prediction = predict(routes, all_nodes(line), round);
  EXPECT_EQ(prediction.slow_sets, (std::vector<std::vector<std::size_t>>{{0, 1}}));
  EXPECT_EQ(prediction.meets_on_link, (std::vector{true, true, false, false}));
  EXPECT_EQ(prediction.meets_at_host, (std::vector{false, true, true, false}));
  EXPECT_TRUE(prediction.may_be_slow(2, cubefold::Ports::one));
  EXPECT_FALSE(prediction.may_be_slow(2, cubefold::Ports::all));
}

TEST(Prediction, is_contradicted_by_a_lone_stream_that_is_slow_and_by_sharing_streams_that_are_all_fast) {
  const Grid line = cubefold::parse_grid("line:5");
  const Round round{{0, 2}, {1, 3}, {2, 0}};
  Routes routes(line);
  const Prediction prediction = predict(routes, all_nodes(line), round);
  const auto contradictory = [&](const std::vector<double>& factors) {
    return contradictions(prediction, cubefold::Ports::one, once(round, factors));
  };
  using Sets = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(contradictory({1, 2, 1}), Sets{});
  EXPECT_EQ(contradictory({2, 1, 1}), Sets{});
  EXPECT_EQ(contradictory({2, 2, 2}), (Sets{{2}}));
  EXPECT_EQ(contradictory({1, 1, 1}), (Sets{{0, 1}}));
  EXPECT_EQ(contradictory({1.5, 1.5, 1.5}), Sets{});
}

TEST(Prediction, takes_a_link_of_twice_the_rate_for_one_that_two_streams_do_not_fill) {
  const std::vector<cubefold::TableLink> links{{0, 1}, {1, 0}, {1, 2, 2}, {2, 1}, {2, 3}, {3, 2}};
  const std::vector<std::uint32_t> next{0, 0, 0, 0, 1, 0, 2, 2, 3, 3, 0, 4, 5, 5, 5, 0};
  const Grid line({{4, cubefold::Ends::open}}, cubefold::RouteTable(4, links, next), "x");
  Routes routes(line);
  EXPECT_TRUE(predict(routes, all_nodes(line), {{0, 2}, {1, 3}}).slow_sets.empty());
  EXPECT_EQ(predict(routes, all_nodes(line), {{3, 1}, {2, 0}}).slow_sets.size(), 1);
}
