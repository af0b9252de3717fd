#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/route.hpp"
#include "plan/all_objectives.hpp"
#include "plan/moving_loads.hpp"
#include "plan/phases_of.hpp"
#include "support/sweep.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {
namespace {

/// Returns a network of a ring in one direction and some further links, all with random rates.
Grid random_network(std::uint32_t node_count, std::mt19937_64& generator) {
  constexpr std::array rates{1.0, 1.5, 2.0, 4.0 / 3, 5.123456789};
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> links;
  const auto any_rate = [&] { return rates[generator() % rates.size()]; };
  for (std::uint32_t n = 0; n < node_count; ++n) links[{n, (n + 1) % node_count}] = any_rate();
  for (std::uint32_t i = 0; i < 2 * node_count; ++i) {
    const auto from = static_cast<std::uint32_t>(generator() % node_count);
    const auto to = static_cast<std::uint32_t>(generator() % node_count);
    if (from != to) links[{from, to}] = any_rate();
  }
  std::vector<TableLink> list;
  for (const auto& [ends, rate] : links) list.push_back({ends.first, ends.second, rate});
  const std::vector<Axis> axes{{node_count, Ends::open}};
  return {axes, balanced_routes(Grid(axes), std::move(list)), "random"};
}

std::vector<Grid> small_networks() {
  std::vector<Grid> grids;
  for (const char* text : {"ring:7,cut=0-6", "mesh:2x4,cut=2-4", "torus:4x2,cut=0-1", "torus:2x4~2",
                           "hyperx:4x2", "hyperx:2x3", "torus:3x2~1,cut=1-2", "torus:3x3,without=4",
                           "mesh:2x4,without=3-5", "ring:9,without=3-4-7", "torus:4x2,cut=0-1,without=2"})
    grids.push_back(parse_grid(text));
  std::mt19937_64 generator(11);
  for (const std::uint32_t node_count : {4U, 5U, 6U, 6U, 7U})
    grids.push_back(random_network(node_count, generator));
  return grids;
}

std::vector<GridNode> identity(std::size_t count) {
  std::vector<GridNode> nodes;
  for (std::uint32_t n = 0; n < count; ++n) nodes.push_back(GridNode{n});
  return nodes;
}

std::vector<GridNode> shuffled(std::size_t count, std::mt19937_64& generator) {
  auto nodes = identity(count);
  for (std::size_t k = count; k > 1; --k) std::swap(nodes[k - 1], nodes[generator() % k]);
  return nodes;
}

/// Returns the largest load / rate of whole messages, with rates of four decimals and quotients of three, rounded up.
double longest_time(const Grid& grid, const std::vector<GridNode>& node_of_rank, const Phase& phase) {
  std::vector<std::uint64_t> loads(link_index_count(grid));
  for (const Traffic& sent : phase.traffic)
    for (const Link& link :
         route(grid, node_of_rank[label(sent.from)], node_of_rank[label(sent.to)], Tie::balanced))
      loads[link_index(grid, link)] += static_cast<std::uint64_t>(sent.messages);
  std::uint64_t longest = 0;
  for (const Link& link : links_of(grid)) {
    const auto rate = static_cast<std::uint64_t>(std::llround(rate_of(grid, link) * 10'000));
    longest = std::max(longest, (loads[link_index(grid, link)] * 10'000'000 + rate - 1) / rate);
  }
  return static_cast<double>(longest) / 1000;
}

TEST(RouteTableMapping, counts_the_loads_of_the_tables_routes_over_the_rates_of_links) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 20; ++i) {
    const Grid grid = random_network(9, generator);
    const std::vector phases{random_phase(9, 12, generator), random_phase(9, 30, generator)};
    const auto nodes = shuffled(9, generator);
    const auto values = evaluate(grid, nodes, phases);
    Phase together{"together", 1, {}};
    double hops = 0;
    for (std::size_t r = 0; r < phases.size(); ++r) {
      EXPECT_DOUBLE_EQ(values.busiest_link[r], longest_time(grid, nodes, phases[r]));
      for (const Traffic& sent : phases[r].traffic) {
        together.traffic.push_back({sent.from, sent.to, sent.messages * phases[r].weight});
        hops += sent.messages * phases[r].weight *
                distance_hops(grid, nodes[label(sent.from)], nodes[label(sent.to)]);
      }
    }
    EXPECT_DOUBLE_EQ(values.busiest_link_together, longest_time(grid, nodes, together));
    EXPECT_DOUBLE_EQ(values.hop_bytes, hops);
  }
}

TEST(RouteTableMapping, follows_swaps_by_the_routes_of_the_table) {
  std::mt19937_64 generator(5);
  const Grid grid = random_network(40, generator);
  const std::vector phases{random_phase(40, 100, generator), random_phase(40, 30, generator)};
  for (const MappingObjective objective : all_objectives) {
    MovingLoads loads(grid, phases, objective, Tie::balanced);
    loads.move_all_to(shuffled(40, generator));
    for (int i = 0; i < 200; ++i) {
      loads.swap(static_cast<std::uint32_t>(generator() % 40), static_cast<std::uint32_t>(generator() % 40));
      if (generator() % 2 == 0) loads.undo();
      const auto values = evaluate(grid, loads.nodes(), phases, objective);
      EXPECT_NEAR(loads.value().objective, values.objective, 0.01);
    }
  }
}

/// Returns the least value of each objective over all bijections.
std::array<ExactSum, 3> least_values(const Grid& grid, const std::vector<Phase>& phases) {
  constexpr ExactSum most{~std::uint64_t{0}, 0};
  std::array least{most, most, most};
  auto nodes = identity(grid.node_count());
  do {
    const auto values = evaluate(grid, nodes, phases);
    const auto together = evaluate(grid, nodes, phases, MappingObjective::busiest_link_together);
    least[0] = std::min(least[0], values.exact_objective);
    least[1] = std::min(least[1], together.exact_objective);
    least[2] = std::min(least[2], values.exact_hop_bytes);
  } while (std::next_permutation(nodes.begin(), nodes.end()));
  return least;
}

void expect_best_of_all_bijections(const Grid& grid, const std::vector<Phase>& phases) {
  const auto least = least_values(grid, phases);
  for (std::size_t o = 0; o < least.size(); ++o) {
    MappingOptions options;
    options.objective = all_objectives[o];
    const Mapping mapping = choose_placement(grid, phases, options);
    const std::string name = to_string(grid) + " " + phases.front().name + ", objective " + std::to_string(o);
    EXPECT_LE(mapping.bound.exact_value, least[o]) << name << ": " << mapping.bound.source;
    EXPECT_EQ(mapping.values.exact_objective, least[o]) << name;
    EXPECT_EQ(mapping.optimal == true, mapping.bound.exact_value == mapping.values.exact_objective) << name;
  }
}

using NetworkCase = std::pair<Grid, std::vector<Phase>>;

/// Expects the choice to be a best bijection in all cases of up to 6 nodes and in some of the others.
void expect_best_of_all_bijections(std::vector<NetworkCase> cases) {
  const auto is_small = [](const NetworkCase& each) { return each.first.node_count() <= 6; };
  for (const auto& [grid, phases] : small_and_some_of(std::move(cases), is_small, 4))
    expect_best_of_all_bijections(grid, phases);
}

TEST(RouteTableMapping, has_no_better_bijection_for_random_phases) {
  std::mt19937_64 generator(1);
  std::vector<NetworkCase> cases;
  for (const Grid& grid : small_networks()) {
    const std::size_t count = grid.node_count();
    cases.push_back({grid, {random_phase(count, 10, generator)}});
    cases.push_back({grid, {random_phase(count, 8, generator), random_phase(count, 5, generator)}});
  }
  expect_best_of_all_bijections(std::move(cases));
}

TEST(RouteTableMapping, has_no_better_bijection_for_phases_of_programs) {
  std::vector<NetworkCase> cases;
  for (const Grid& grid : small_networks()) {
    const std::size_t count = grid.node_count();
    std::string phases = "ring+halo:" + std::to_string(count);
    if (count % 2 == 0) phases += "w+alltoall:rows=2x" + std::to_string(count / 2);
    cases.emplace_back(grid, parse_phases(phases, count));
    cases.emplace_back(grid, parse_phases("alltoall*0.5+ring", count));
    if (count == 8) cases.emplace_back(grid, parse_phases("cube*2+bit-reversal", count));
  }
  expect_best_of_all_bijections(std::move(cases));
}

TEST(RouteTableMapping, proves_that_all_placements_of_an_all_to_all_are_equal) {
  for (const Grid& grid : small_networks()) {
    for (const MappingObjective objective : all_objectives) {
      MappingOptions options;
      options.objective = objective;
      options.per_node = 2;
      const auto phases = parse_phases("alltoall", 2 * grid.node_count());
      const Mapping mapping = choose_placement(grid, phases, options);
      EXPECT_EQ(mapping.optimal, true) << to_string(grid);
      EXPECT_EQ(mapping.placement, "identity");
    }
  }
}

// A ladder of 31 x 2 ranks takes two rows of the torus at a time.
TEST(RouteTableMapping, leads_ranks_past_the_holes_of_a_job) {
  const Grid grid = parse_grid("torus:8x8,without=3-42");
  const Mapping mapping = choose_placement(grid, parse_phases("halo:31x2", 62));
  EXPECT_LE(mapping.values.objective, 2);
  EXPECT_LT(mapping.values.average_hops, 1.2);
}

// Every host sends 6 messages at most whatever the placement, so only the hops tell placements apart.
TEST(RouteTableMapping, places_ranks_on_switches_where_the_links_of_hosts_are_the_busiest) {
  const Grid switches = parse_grid("torus:4x4x4");
  const Grid hosts = parse_grid("torus:4x4x4,hosts=2");
  const auto phases = parse_phases("halo:8x4x4", 128);
  MappingOptions on_switches;
  on_switches.per_node = 2;
  const Mapping mapping = choose_placement(hosts, phases);
  EXPECT_EQ(mapping.values.objective, 6);
  EXPECT_EQ(mapping.optimal, true);
  std::uint64_t between_hosts = 0;  // each takes two links more than between switches
  for (const Phase& phase : phases) between_hosts += phase.traffic.size();
  const auto best = choose_placement(switches, phases, on_switches);
  EXPECT_EQ(mapping.values.hop_bytes, best.values.hop_bytes + 2 * static_cast<double>(between_hosts));
}

// The switch of the file is there before hosts are put anywhere, so no search on switches can begin.
TEST(RouteTableMapping, of_a_network_from_a_file_with_a_switch_is_searched_once) {
  const std::string path = testing::TempDir() + "cubefold-star.json";
  std::ofstream(path) << R"({"nodes": ["a", "b", "c", "d"], "switches": ["s"],
                             "cables": [["a", "s"], ["b", "s"], ["c", "s"], ["d", "s"]]})";
  for (const char* more : {"", ",hosts=1", ",hosts=2-1-1-2"}) {
    const Grid grid = parse_grid("file:" + path + more);
    const Mapping mapping = choose_placement(grid, parse_phases("ring", grid.node_count()));
    EXPECT_EQ(mapping.values.objective, 1) << more;
    EXPECT_EQ(mapping.optimal, true) << more;
  }
}

TEST(RouteTableMapping, takes_several_ranks_on_each_host_of_a_switch) {
  const Grid grid = parse_grid("torus:4x4,hosts=2");
  MappingOptions options;
  options.per_node = 2;
  const Mapping mapping = choose_placement(grid, parse_phases("halo:8x8", 64), options);
  EXPECT_EQ(mapping.values.objective, 6);
  EXPECT_EQ(mapping.optimal, true);
}

TEST(RouteTableMapping, keeps_the_value_of_a_ring_that_passes_the_holes) {
  const Grid grid = parse_grid("ring:64,without=9-10-40");
  const Mapping mapping = choose_placement(grid, parse_phases("ring", 61));
  EXPECT_EQ(mapping.optimal, true);
  EXPECT_EQ(mapping.placement, "identity");
}

TEST(RouteTableMapping, is_the_same_for_equal_questions) {
  const Grid grid = parse_grid("torus:5x5,cut=0-1,cut=7-12");
  const auto phases = parse_phases("halo:25w+alltoall:rows=5x5", 25);
  MappingOptions options;
  options.effort = 20'000'000;
  EXPECT_EQ(choose_placement(grid, phases, options).node_of_rank,
            choose_placement(grid, phases, options).node_of_rank);
}

TEST(RouteTableMapping, needs_no_rules_where_a_program_names_its_phases) {
  const Grid grid = parse_grid("torus:4x4,cut=0-1");
  const auto phases = parse_phases("halo:4x4", 16);
  const auto values = evaluate(grid, node_of_rank(place(grid, "auto:halo:4x4")), phases);
  EXPECT_EQ(values.objective, 1);
  EXPECT_EQ(evaluate(grid, identity(16), phases).objective, 2);
}

}  // namespace
}  // namespace cubefold
