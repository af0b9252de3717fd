#include "partner_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "cubefold/topology/route.hpp"

namespace cubefold {

namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t set_of(std::size_t element) {
    while (parent_[element] != element) element = parent_[element] = parent_[parent_[element]];
    return element;
  }

  void join(std::size_t a, std::size_t b) { parent_[set_of(a)] = set_of(b); }

 private:
  std::vector<std::size_t> parent_;
};

/// An axis of one component.
struct FoundAxis {
  std::size_t pairs;  ///< number of the set of all pairs on this axis
  Ends ends;
  /// The ranks that differ from the first rank of the component only on this axis, in their order on it.
  std::vector<std::uint32_t> line;
};

class Recognition {
 public:
  explicit Recognition(const PartnerGraph& graph)
      : graph_(graph),
        axes_of_pairs_(graph.pair_count()),
        index_(graph.rank_count()),
        mark_(graph.rank_count()) {}

  std::optional<GridGraph> run() {
    if (graph_.pair_count() == 0 || !join_pairs()) return std::nullopt;
    const auto components = graph_.components();
    GridGraph result{Grid({}), std::vector<GridNode>(graph_.rank_count())};
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (components[c].size() * components.size() != graph_.rank_count()) return std::nullopt;
      const auto part = grid_of(components[c], result.node_of_rank, c);
      if (!part || (c > 0 && *part != result.grid)) return std::nullopt;
      result.grid = *part;
    }
    if (links_of(result.grid).size() * components.size() != graph_.pair_count()) return std::nullopt;
    auto axes = result.grid.axes();
    if (components.size() > 1) axes.push_back({static_cast<std::uint32_t>(components.size()), Ends::open});
    result.grid = Grid(std::move(axes));
    return result;
  }

 private:
  /// Joins the pairs that are on one axis. Returns false if the squares are not those of a grid.
  bool join_pairs() {
    for (std::uint32_t rank = 0; rank < graph_.rank_count(); ++rank) {
      const auto partners = graph_.partners(rank);
      for (std::size_t j = 0; j < partners.size(); ++j) {
        axes_of_pairs_.join(graph_.pair(rank, j), graph_.pair_of(partners[j], rank));
        for (std::size_t k = 0; k < j; ++k) {
          if (!join_at_corner(rank, partners[j], partners[k])) return false;
        }
      }
    }
    return true;
  }

  /// Joins the pairs at the corner a, rank, b. The corner is part of a square if exactly one other rank is a partner of
  /// a and b; it is straight if there is none. Returns false if there are several.
  bool join_at_corner(std::uint32_t rank, std::uint32_t a, std::uint32_t b) {
    const auto to_a = graph_.pair_of(rank, a);
    const auto to_b = graph_.pair_of(rank, b);
    if (graph_.are_partners(a, b)) {
      axes_of_pairs_.join(to_a, to_b);
      return true;
    }
    std::vector<std::uint32_t> ways;
    for (const auto other : graph_.partners(a)) {
      if (other != rank && graph_.are_partners(other, b)) ways.push_back(other);
    }
    if (ways.empty()) axes_of_pairs_.join(to_a, to_b);
    if (ways.size() == 1) {
      axes_of_pairs_.join(to_a, graph_.pair_of(b, ways[0]));
      axes_of_pairs_.join(to_b, graph_.pair_of(a, ways[0]));
    }
    return ways.size() <= 1;
  }

  /// Returns the grid of one component, or nothing if there is none. Numbers the nodes of its ranks behind those of the
  /// components before it.
  std::optional<Grid> grid_of(const std::vector<std::uint32_t>& ranks, std::vector<GridNode>& node_of_rank,
                              std::size_t number) {
    std::vector<FoundAxis> found;
    if (!find_axes(ranks[0], found)) return std::nullopt;
    std::vector<Axis> axes;
    std::size_t node_count = 1;
    for (const FoundAxis& axis : found) {
      axes.push_back({static_cast<std::uint32_t>(axis.line.size()), axis.ends});
      node_count *= axis.line.size();
      if (node_count > ranks.size()) return std::nullopt;
    }
    if (node_count != ranks.size()) return std::nullopt;
    Grid grid(std::move(axes));
    for (std::size_t axis = 0; axis < found.size(); ++axis) {
      if (!add_coordinates(found[axis], grid.stride(static_cast<int>(axis)), ranks.size()))
        return std::nullopt;
    }
    if (!is_exact(grid, ranks)) return std::nullopt;
    for (const auto rank : ranks)
      node_of_rank[rank] = static_cast<GridNode>(number * ranks.size() + index_[rank]);
    return grid;
  }

  /// Returns the partners of a rank on an axis.
  std::vector<std::uint32_t> next_on(std::size_t pairs, std::uint32_t rank) {
    std::vector<std::uint32_t> next;
    const auto partners = graph_.partners(rank);
    for (std::size_t k = 0; k < partners.size(); ++k) {
      if (axes_of_pairs_.set_of(graph_.pair(rank, k)) == pairs) next.push_back(partners[k]);
    }
    return next;
  }

  /// Finds the axes through a rank, the longest first. Returns false if an axis is neither a line nor a ring.
  bool find_axes(std::uint32_t root, std::vector<FoundAxis>& found) {
    std::vector<std::size_t> sets;
    for (std::size_t k = 0; k < graph_.partners(root).size(); ++k)
      sets.push_back(axes_of_pairs_.set_of(graph_.pair(root, k)));
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    for (const auto set : sets) {
      auto axis = line_through(root, set);
      if (!axis) return false;
      found.push_back(std::move(*axis));
    }
    std::stable_sort(found.begin(), found.end(), [](const FoundAxis& a, const FoundAxis& b) {
      return std::pair(b.line.size(), b.ends) < std::pair(a.line.size(), a.ends);
    });
    return true;
  }

  /// Returns the ranks on an axis through a rank, or nothing if it is neither a line nor a ring. A line begins at its
  /// end with the smaller rank, and a ring at the rank `root`.
  std::optional<FoundAxis> line_through(std::uint32_t root, std::size_t pairs) {
    FoundAxis axis{pairs, Ends::open, {root}};
    const auto ways = next_on(pairs, root);
    if (ways.size() > 2) return std::nullopt;
    for (const auto way : ways) {
      for (auto [before, here] = std::pair(root, way); here != root;) {
        axis.line.push_back(here);
        const auto next = next_on(pairs, here);
        if (next.size() > 2) return std::nullopt;
        if (next.size() == 1) break;
        before = std::exchange(here, next[0] == before ? next[1] : next[0]);
        if (here == root) axis.ends = Ends::wrapped;
      }
      if (axis.ends == Ends::wrapped) return axis;
      std::reverse(axis.line.begin(), axis.line.end());
    }
    if (axis.line.back() < axis.line.front()) std::reverse(axis.line.begin(), axis.line.end());
    return axis;
  }

  /// Adds the coordinate on one axis to the index of all ranks. The ranks that are connected with a rank of the line by
  /// other axes have the coordinate of that rank. Returns false if some rank has two coordinates or none.
  bool add_coordinates(const FoundAxis& axis, std::size_t stride, std::size_t rank_count) {
    ++mark_of_met_;
    std::vector<std::uint32_t> met;
    std::size_t total = 0;
    for (std::size_t x = 0; x < axis.line.size(); ++x) {
      met.clear();
      if (!meet(axis.line[x], met)) return false;
      for (std::size_t i = 0; i < met.size(); ++i) {
        index_[met[i]] += x * stride;
        const auto partners = graph_.partners(met[i]);
        for (std::size_t k = 0; k < partners.size(); ++k) {
          if (axes_of_pairs_.set_of(graph_.pair(met[i], k)) != axis.pairs) meet(partners[k], met);
        }
      }
      total += met.size();
    }
    return total == rank_count;
  }

  /// Adds a rank unless it has the current mark. Returns whether it was added.
  bool meet(std::uint32_t rank, std::vector<std::uint32_t>& met) {
    if (mark_[rank] == mark_of_met_) return false;
    mark_[rank] = mark_of_met_;
    met.push_back(rank);
    return true;
  }

  /// Returns whether all ranks have different indices and partners are one hop apart.
  bool is_exact(const Grid& grid, const std::vector<std::uint32_t>& ranks) const {
    std::vector<bool> is_taken(grid.node_count());
    for (const auto rank : ranks) {
      if (is_taken[index_[rank]]) return false;
      is_taken[index_[rank]] = true;
      for (const auto partner : graph_.partners(rank)) {
        if (distance_hops(grid, node(rank), node(partner)) != 1) return false;
      }
    }
    return true;
  }

  /// Returns the rank's node in the grid of its component.
  GridNode node(std::uint32_t rank) const { return static_cast<GridNode>(index_[rank]); }

  const PartnerGraph& graph_;
  DisjointSets axes_of_pairs_;
  std::vector<std::size_t> index_;
  std::vector<std::size_t> mark_;
  std::size_t mark_of_met_ = 0;
};

}  // namespace

std::optional<GridGraph> recognise_grid(const PartnerGraph& graph) {
  return Recognition(graph).run();
}

}  // namespace cubefold
