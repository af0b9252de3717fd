#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/lcc/pattern.hpp"
#include "cubefold/plan/mapping.hpp"
#include "plan/all_objectives.hpp"
#include "plan/phases_of.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

using Values = std::array<double, all_objectives.size()>;

/// Finds the least value of every objective by trying all bijections. Computes the links of every route only once.
class AllBijections {
 public:
  AllBijections(const Grid& grid, const std::vector<Phase>& phases) : phases_(phases) {
    const auto count = static_cast<std::uint32_t>(grid.node_count());
    for (std::uint32_t from = 0; from < count; ++from) {
      for (std::uint32_t to = 0; to < count; ++to) {
        links_.emplace_back();
        for (const Link& link : route(grid, GridNode{from}, GridNode{to}, Tie::balanced))
          links_.back().push_back(link_index(grid, link));
      }
    }
    together_.resize(link_index_count(grid));
    loads_.resize(together_.size());
    nodes_.resize(count);
    std::iota(nodes_.begin(), nodes_.end(), std::size_t{0});
  }

  Values least() {
    Values least = values();
    while (std::next_permutation(nodes_.begin(), nodes_.end())) {
      const Values next = values();
      for (std::size_t o = 0; o < least.size(); ++o) least[o] = std::min(least[o], next[o]);
    }
    return least;
  }

 private:
  Values values() {
    Values values{};
    std::fill(together_.begin(), together_.end(), 0);
    for (const Phase& phase : phases_) {
      std::fill(loads_.begin(), loads_.end(), 0);
      double busiest = 0;
      for (const Traffic& sent : phase.traffic) {
        const auto& links = links_[nodes_[label(sent.from)] * nodes_.size() + nodes_[label(sent.to)]];
        for (const auto link : links) {
          busiest = std::max(busiest, loads_[link] += sent.messages);
          together_[link] += sent.messages * phase.weight;
        }
        values[2] += sent.messages * phase.weight * static_cast<double>(links.size());
      }
      values[0] += phase.weight * busiest;
    }
    values[1] = *std::max_element(together_.begin(), together_.end());
    return values;
  }

  const std::vector<Phase>& phases_;
  std::vector<std::vector<std::size_t>> links_;  ///< links of each route, at from * nodes + to
  std::vector<std::size_t> nodes_;
  std::vector<double> loads_;
  std::vector<double> together_;
};

/// Counts how often choose_placement() finds a best bijection. Keeps the largest ratio of a chosen value to the best
/// one and the case that has it.
struct Record {
  int cases = 0;
  int optima = 0;
  double largest_factor = 1;
  std::string worst = "none";

  void add(const Grid& grid, const std::string& name, const std::vector<Phase>& phases) {
    const Values best = AllBijections(grid, phases).least();
    for (std::size_t o = 0; o < best.size(); ++o) {
      MappingOptions options;
      options.objective = all_objectives[o];
      const double chosen = choose_placement(grid, phases, options).values.objective;
      ASSERT_GE(chosen, best[o]) << to_string(grid) << " " << name << ", objective " << o;
      ++cases;
      optima += chosen == best[o] ? 1 : 0;
      // The best value is 0 only if no message uses a link.
      const double factor = best[o] > 0 ? chosen / best[o] : 1 + chosen;
      if (factor <= largest_factor) continue;
      largest_factor = factor;
      worst = to_string(grid) + " " + name + ", objective " + std::to_string(o);
    }
  }

  void report() const {
    testing::Test::RecordProperty("cases", cases);
    testing::Test::RecordProperty("optima", optima);
    testing::Test::RecordProperty("largest_factor", std::to_string(largest_factor));
    testing::Test::RecordProperty("worst", worst);
    EXPECT_EQ(optima, cases);
    EXPECT_EQ(largest_factor, 1) << worst;
  }
};

/// Returns the texts of phases that cover all patterns. With 8 ranks, which are no square number, patterns that need
/// rows and columns get 2x4.
std::vector<std::string> named_phases(std::size_t rank_count) {
  std::vector<std::string> names{"cube", "cube:0", "cube+bit-reversal", "cube*2+complement",
                                 "shuffle+unshuffle"};
  for (const std::string& name : pattern_names()) {
    const bool has_shape = rank_count == 8 && name != "exchange" && name != "complement" &&
                           name != "shuffle" && name != "unshuffle" && name != "bit-reversal" &&
                           name != "reverse-flip";
    names.push_back(name + (has_shape ? ":2x4" : ""));
  }
  return names;
}

/// Lists all grids of 4 to 8 nodes without axes of extent 1. A wrapped axis of extent 2 is the same as an open one.
constexpr std::array grids_of_4_to_8_nodes{"line:4",    "ring:4",   "mesh:2x2",  "line:5",    "ring:5",
                                           "line:6",    "ring:6",   "mesh:2x3",  "mesh:3x2",  "torus:2x3",
                                           "torus:3x2", "line:7",   "ring:7",    "line:8",    "ring:8",
                                           "mesh:2x4",  "mesh:4x2", "torus:2x4", "torus:4x2", "hypercube:3"};

struct BijectionCase {
  Grid grid;
  std::string name;
  std::vector<Phase> phases;
};

/// Expects the choice to be a best bijection in all cases of up to 7 nodes and in some of 8.
void expect_the_best(std::vector<BijectionCase> cases, std::size_t step) {
  const auto is_small = [](const BijectionCase& each) { return each.grid.node_count() <= 7; };
  Record record;
  for (const auto& [grid, name, phases] : small_and_some_of(std::move(cases), is_small, step))
    record.add(grid, name, phases);
  record.report();
}

TEST(AllBijections, on_4_to_8_nodes_have_none_better_than_the_choice_for_named_phases) {
  std::vector<BijectionCase> cases;
  for (const char* text : grids_of_4_to_8_nodes) {
    const Grid grid = parse_grid(text);
    const std::size_t count = grid.node_count();
    if (count % 2 == 0) {
      const std::string name = "transpose:2x" + std::to_string(count / 2);
      cases.push_back({grid, name, parse_phases(name, count)});
    }
    if (!std::has_single_bit(count)) continue;
    for (const auto& name : named_phases(count)) cases.push_back({grid, name, parse_phases(name, count)});
  }
  expect_the_best(std::move(cases), 8);
}

TEST(AllBijections, on_4_to_8_nodes_have_none_better_than_the_choice_for_random_phases) {
  std::vector<BijectionCase> cases;
  std::mt19937_64 generator(1);
  for (const char* text : grids_of_4_to_8_nodes) {
    const Grid grid = parse_grid(text);
    cases.push_back({grid, "random", {random_phase(grid.node_count(), 14, generator)}});
    cases.push_back(
        {grid,
         "two random",
         {random_phase(grid.node_count(), 8, generator), random_phase(grid.node_count(), 8, generator)}});
  }
  expect_the_best(std::move(cases), 4);
}

TEST(AllBijections, on_networks_with_holes_and_cuts_have_none_better_than_the_choice) {
  std::vector<BijectionCase> cases;
  for (const char* text :
       {"grid:3x4w,without=1-5-9-10", "mesh:3x4,without=4-5-9-10", "mesh:3x4,without=2-4-6-10",
        "mesh:4x4,without=0-1-2-3-5-8-9-15", "mesh:4x4,without=4-5-10-11-12-13-14-15",
        "mesh:4x4,without=0-3-7-8-9-10-12-14", "torus:4x4,without=2-3-5-8-9-13-14-15", "torus:2x4,cut=0-1",
        "torus:2x4~1", "mesh:2x2,hosts=2"}) {
    for (const char* phases : {"halo:8*0.5+allreduce*3", "allreduce*3+ring", "halo:2x4+transpose:2x4"})
      cases.push_back({parse_grid(text), phases, parse_phases(phases, 8)});
  }
  Record record;
  for (const auto& [grid, name, phases] : some_of(std::move(cases), 3)) record.add(grid, name, phases);
  record.report();
}

TEST(AllBijections, are_looked_at_where_swaps_find_a_local_optimum) {
  const Grid grid = parse_grid("grid:3x4w,without=1-5-9-10");
  const Mapping mapping = choose_placement(grid, parse_phases("halo:8*0.5+allreduce*3", 8));
  EXPECT_EQ(mapping.values.objective, 9.5);
  EXPECT_EQ(mapping.optimal, true);
}

}  // namespace
}  // namespace cubefold
