#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/route.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

/// Appends all lists of axes with `product` nodes to `shapes` that begin with `begun`. Extents are at least 2 and
/// ascend. An axis of extent 3 or more is open or wrapped.
void add_shapes(std::uint32_t product, std::vector<Axis>& begun, std::vector<std::vector<Axis>>& shapes) {
  if (product == 1) shapes.push_back(begun);
  const auto first = begun.empty() ? Axis{2, Ends::open} : begun.back();
  for (auto extent = first.extent; extent <= product; ++extent) {
    for (const Ends ends : {Ends::open, Ends::wrapped}) {
      const bool is_ring_of_two = extent == 2 && ends == Ends::wrapped;
      const bool descends = extent == first.extent && ends < first.ends;
      if (product % extent != 0 || is_ring_of_two || descends) continue;
      begun.push_back({extent, ends});
      add_shapes(product / extent, begun, shapes);
      begun.pop_back();
    }
  }
}

std::vector<Grid> shapes_of(std::uint32_t node_count) {
  std::vector<Axis> begun;
  std::vector<std::vector<Axis>> shapes;
  add_shapes(node_count, begun, shapes);
  std::vector<Grid> grids;
  for (auto& shape : shapes) grids.emplace_back(std::move(shape));
  return grids;
}

/// Returns `halo:` with the extents of a grid, which are those of the ranks.
std::string halo_of(const Grid& shape) {
  std::string text = "halo:";
  for (const auto& [extent, ends] : shape.axes())
    text += fmt::format("{}{}{}", text.back() == ':' ? "" : "x", extent, ends == Ends::wrapped ? "w" : "");
  return text;
}

/// Searches the bijections of ranks to nodes for one that puts partners on neighbouring nodes.
class NeighbourlyBijections {
 public:
  NeighbourlyBijections(const Grid& grid, const Phase& phase)
      : neighbours_(grid.node_count()),
        partners_(grid.node_count()),
        node_of_rank_(grid.node_count(), nowhere),
        is_taken_(grid.node_count()) {
    for (const Link& link : links_of(grid)) neighbours_[index(link.from)].insert(index(end_of(grid, link)));
    for (const auto& [from, to, messages] : phase.traffic) partners_[label(from)].insert(label(to));
    for (std::size_t i = 0; i < order_.size(); ++i) {
      for (const auto partner : partners_[order_[i]]) {
        if (std::ranges::find(order_, partner) == order_.end()) order_.push_back(partner);
      }
    }
  }

  bool exist(std::size_t placed_count = 0) {
    if (placed_count == order_.size()) return true;
    const auto rank = order_[placed_count];
    for (std::size_t node = 0; node < is_taken_.size(); ++node) {
      if (is_taken_[node] || !fits(rank, node)) continue;
      node_of_rank_[rank] = node;
      is_taken_[node] = true;
      if (exist(placed_count + 1)) return true;
      is_taken_[node] = false;
      node_of_rank_[rank] = nowhere;
    }
    return false;
  }

 private:
  static constexpr std::size_t nowhere = std::size_t{1} << 40;

  static std::size_t index(GridNode node) { return static_cast<std::size_t>(node); }

  bool fits(std::size_t rank, std::size_t node) const {
    return std::ranges::all_of(partners_[rank], [&](std::size_t partner) {
      const auto other = node_of_rank_[partner];
      return other == nowhere || neighbours_[node].contains(other);
    });
  }

  std::vector<std::set<std::size_t>> neighbours_;
  std::vector<std::set<std::size_t>> partners_;
  std::vector<std::size_t> node_of_rank_;
  std::vector<bool> is_taken_;
  std::vector<std::size_t> order_{0};  ///< all ranks, each behind one of its partners
};

/// Returns the nodes of the ranks if rank and node have the same coordinates.
std::vector<GridNode> at_own_coordinates(const Grid& grid) {
  std::vector<GridNode> nodes;
  std::vector<std::uint32_t> at(grid.axes().size());
  for (std::size_t rank = 0; rank < grid.node_count(); ++rank) {
    auto rest = rank;
    for (int axis = grid.axis_count(); axis-- > 0; rest /= grid.extent(axis))
      at[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(rest % grid.extent(axis));
    nodes.push_back(grid.node_at(at));
  }
  return nodes;
}

Mapping chosen(const Grid& grid, const std::string& phase, std::uint64_t effort = MappingOptions{}.effort) {
  MappingOptions options;
  options.effort = effort;
  return choose_placement(grid, parse_phase(phase, grid.node_count(), &grid), options);
}

double identity_value(const Grid& grid, const std::string& phase) {
  const auto phases = parse_phase(phase, grid.node_count(), &grid);
  return evaluate(grid, node_of_rank(Placement(grid, {})), phases).objective;
}

// The numbers of issue 15.
TEST(HaloMapping, has_one_message_on_every_link_of_tori_of_any_extents) {
  struct Case {
    const char* machine;
    const char* phase;
    double identity;
  };
  for (const auto& [machine, phase, identity] :
       {Case{"torus:12x10", "halo:12wx10w", 4}, Case{"torus:16x12", "halo:16wx12w", 6},
        Case{"torus:12x8x8", "halo:12wx8wx8w", 14}, Case{"torus:12x10", "halo:12x10", 3}}) {
    const Grid grid = parse_grid(machine);
    const Mapping mapping = chosen(grid, phase);
    EXPECT_EQ(identity_value(grid, phase), identity) << phase;
    EXPECT_EQ(mapping.values.objective, 1) << phase;
    EXPECT_EQ(mapping.values.average_hops, 1) << phase;
    EXPECT_EQ(mapping.optimal, true) << phase;
  }
}

TEST(HaloMapping, folds_ranks_of_other_shapes) {
  struct Case {
    const char* machine;
    const char* phase;
    double most;  ///< largest allowed load of the busiest link, in messages
  };
  for (const auto& [machine, phase, most] :
       {Case{"torus:4x6x5", "halo:24wx5w", 1}, Case{"torus:4x6x5", "halo:5x24", 1},
        Case{"ring:24", "halo:4x6", 4}, Case{"mesh:12x10", "halo:12wx10w", 2}, Case{"line:30", "halo:30w", 2},
        Case{"mesh:36x35", "halo:1260w", 1}, Case{"mesh:64x64", "halo:4096w", 1},
        Case{"mesh:6x10x7", "halo:7x60w", 1}, Case{"torus:4x6", "halo:24w", 1},
        Case{"torus:16x16x16", "halo:16wx16wx16w", 1}, Case{"torus:64x64", "halo:64wx64w:full", 3}}) {
    const Mapping mapping = chosen(parse_grid(machine), phase, 400'000'000);
    EXPECT_LE(mapping.values.objective, most) << phase << " on " << machine << ": " << mapping.searched;
  }
}

TEST(HaloMapping, finds_neighbours_for_all_ranks_wherever_there_are_any) {
  std::vector<std::pair<Grid, Grid>> pairs;
  for (std::uint32_t count = 2; count <= 24; ++count) {
    for (const Grid& grid : shapes_of(count)) {
      for (const Grid& ranks : shapes_of(count)) pairs.emplace_back(grid, ranks);
    }
  }
  const auto is_small = [](const auto& pair) { return pair.first.node_count() <= 12; };
  for (const auto& [grid, ranks] : small_and_some_of(std::move(pairs), is_small, 6)) {
    const auto phase = halo_of(ranks);
    const Mapping mapping = chosen(grid, phase, 8'000'000);
    EXPECT_LE(mapping.values.objective, identity_value(grid, phase)) << phase << " on " << to_string(grid);
    if (mapping.values.objective == 1) continue;
    EXPECT_FALSE(NeighbourlyBijections(grid, parse_phase(phase, grid.node_count()).at(0)).exist())
        << phase << " on " << to_string(grid) << ": " << mapping.searched;
  }
}

TEST(HaloMapping, is_as_good_as_equal_coordinates_with_and_without_diagonals) {
  for (std::uint32_t count = 2; count <= 30; ++count) {
    for (const Grid& ranks : shapes_of(count)) {
      for (const Ends ends : {Ends::open, Ends::wrapped}) {
        auto axes = ranks.axes();
        for (Axis& axis : axes) axis.ends = ends;
        const Grid grid(axes);
        for (const char* stencil : {"", ":full"}) {
          const auto phase = halo_of(ranks) + stencil;
          const auto value = evaluate(grid, at_own_coordinates(grid), parse_phase(phase, count)).objective;
          EXPECT_LE(chosen(grid, phase, 20'000'000).values.objective, value)
              << phase << " on " << to_string(grid);
        }
      }
    }
  }
}

TEST(HaloMapping, finds_the_order_of_the_axes_for_stencils_that_it_does_not_recognise) {
  struct Case {
    const char* machine;
    const char* halo;
    double busiest;
  };
  for (const auto& [machine, halo, busiest] :
       {Case{"torus:12x8x8", "halo:12wx8wx8w:edges", 5}, Case{"torus:12x8x8", "halo:8wx12wx8w:edges", 5}}) {
    const Grid grid = parse_grid(machine);
    const auto phases = parse_phases(halo, grid.node_count());
    MappingOptions options;
    options.effort = 400'000'000;
    const Mapping mapping = choose_placement(grid, phases, options);
    EXPECT_EQ(mapping.values.objective, busiest) << machine << " " << halo << ": " << mapping.searched;
    EXPECT_EQ(mapping.optimal, true) << halo;
  }
}

// The bound is 8, so only the even loads say that the search may end.
TEST(HaloMapping, does_not_swap_nodes_if_neighbours_are_neighbours_and_most_links_are_the_busiest) {
  const Grid grid = parse_grid("torus:12x8x8");
  const Mapping mapping = choose_placement(grid, parse_phases("halo:12wx8wx8w:full", grid.node_count()));
  EXPECT_EQ(mapping.values.objective, 9);
  EXPECT_EQ(mapping.searched.find("swaps"), std::string::npos) << mapping.searched;
  for (const char* machine : {"torus:12x8x8", "mesh:12x8x8"}) {
    const Grid whole = parse_grid(machine);
    const Mapping open = choose_placement(whole, parse_phases("halo:12x8x8:full", whole.node_count()));
    EXPECT_EQ(open.values.objective, 9) << machine;
    EXPECT_EQ(open.searched.find("swaps"), std::string::npos) << open.searched;
  }
  const Grid mesh = parse_grid("mesh:4x4x4");
  const Mapping uneven = choose_placement(mesh, parse_phases("halo:4x4x4:full", mesh.node_count()));
  EXPECT_NE(uneven.searched.find("swaps"), std::string::npos) << uneven.searched;
}

}  // namespace
}  // namespace cubefold
