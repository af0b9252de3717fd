#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The undirected graph of ranks. Two ranks are partners if one of them sends to the other in any phase.
class PartnerGraph {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  /// Takes the pairs that exchange messages in some phase. Costs O(messages log messages).
  PartnerGraph(std::span<const Phase> phases, std::size_t rank_count);

  /// Takes pairs, which may be in either order and occur several times. Requires ranks below rank_count. Costs O(pairs
  /// log pairs).
  PartnerGraph(std::vector<Pair> pairs, std::size_t rank_count);

  std::size_t rank_count() const { return first_.size() - 1; }

  /// Returns the partners of a rank in ascending order, without itself.
  std::span<const std::uint32_t> partners(std::uint32_t rank) const {
    return std::span(partners_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// Returns the number of ordered pairs: both orders of two partners are counted.
  std::size_t pair_count() const { return partners_.size(); }

  std::size_t most_partners() const;

  /// Returns the ranks that are connected with `start`, in the order of a breadth-first search. Skips ranks that are
  /// marked, and marks those that it returns.
  std::vector<std::uint32_t> met_from(std::uint32_t start, std::vector<bool>& is_marked) const;

  /// Returns the connected components in the order of their smallest ranks. The ranks of each are in the order of a
  /// breadth-first search from its smallest one.
  std::vector<std::vector<std::uint32_t>> components() const;

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> partners_;
};

/// A grid of ranks in which two ranks exchange messages if and only if a link joins their nodes. As an exception, there
/// may be no messages along the last axis, which then enumerates equal grids.
struct GridGraph {
  Grid grid;
  std::vector<GridNode> node_of_rank;  ///< bijection
};

/// Returns the grid that has this graph, for any numbering of the ranks, or nothing if there is none. Halo exchanges
/// without diagonals have such graphs. The axes are open or wrapped, the longest first. A ring of four is returned as
/// two axes of extent 2, which have the same graph. Several equal grids that do not exchange messages are returned as
/// one grid with one more axis. The result is exact, as that of recognised_grid(). Costs O(ranks * d^3) for d partners
/// of a rank.
std::optional<GridGraph> recognise_grid(const PartnerGraph& graph);

/// Removes the diagonal edges from the graph of a halo exchange with diagonals. Other graphs may lose any edges. Let
/// N(x) be the set of x and its partners. The edge between x and y is removed if there is a z that satisfies this
/// condition and also the condition with x and y exchanged: N(x) & N(y) is a proper subset of N(x) & N(z), or N(x) is a
/// proper subset of N(z) and N(z) one of N(y). Source: Hammack and Imrich 2009, Cartesian skeletons for the strong
/// product. Costs O(ranks * d^3 log d) for d partners of a rank.
PartnerGraph without_diagonals(const PartnerGraph& graph);

/// Returns a grid on which the graph is a halo exchange with diagonals, for any numbering of the ranks, or nothing if
/// none is found. Rings of three and open axes of extent 2 are the last axes. On them every rank has the same partners
/// as the others, so these ranks form classes, and the graph of the classes gives the axes before them by
/// without_diagonals() and recognise_grid(). The result may be a wrong grid for other graphs. Costs O(ranks * d^3
/// log d) for d partners of a rank.
std::optional<GridGraph> recognise_full_stencil(const PartnerGraph& graph);

}  // namespace cubefold
