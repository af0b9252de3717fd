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

/// Which ranks exchange messages with which, in either direction and in any phase.
class PartnerGraph {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  /// Takes the pairs that exchange messages in some phase. O(messages log messages).
  PartnerGraph(std::span<const Phase> phases, std::size_t rank_count);

  /// Takes these pairs, in either order and as often as may be. Requires ranks below the count. O(pairs log pairs).
  PartnerGraph(std::vector<Pair> pairs, std::size_t rank_count);

  std::size_t rank_count() const { return first_.size() - 1; }

  /// Returns the partners of a rank in ascending order, without itself.
  std::span<const std::uint32_t> partners(std::uint32_t rank) const {
    return std::span(partners_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// Returns the number of the pair (rank, its k-th partner) among all pair_count() of them. Each pair is listed from
  /// both ends.
  std::size_t pair(std::uint32_t rank, std::size_t k) const { return first_[rank] + k; }
  std::size_t pair_count() const { return partners_.size(); }

  bool are_partners(std::uint32_t a, std::uint32_t b) const;

  /// Returns the number of the pair (rank, partner). Requires that they are partners. O(log partners).
  std::size_t pair_of(std::uint32_t rank, std::uint32_t partner) const;

  std::size_t most_partners() const;

  /// Returns the ranks that messages connect with `start`, in the order in which a breadth-first search meets them.
  /// Leaves out ranks that are marked, and marks those that it returns.
  std::vector<std::uint32_t> met_from(std::uint32_t start, std::vector<bool>& is_marked) const;

  /// Returns all sets of connected ranks in the order of their smallest ranks, from which each is met.
  std::vector<std::vector<std::uint32_t>> components() const;

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> partners_;
};

/// Ranks that communicate as neighbours in a grid do: two ranks exchange messages if and only if a link joins their
/// nodes. The last axis may be an exception, along which no messages go: it tells equal grids apart.
struct GridGraph {
  Grid grid;
  std::vector<GridNode> node_of_rank;  ///< a bijection
};

/// Returns the grid whose graph this is, whatever numbers the ranks have, or nothing if there is none. Its axes are
/// open or wrapped, the longest first; a ring of four is two axes of extent 2, which is the same graph. Several equal
/// grids that exchange nothing are one grid with an axis more. Halo exchanges without diagonals are such graphs.
///
/// Two edges at a rank are on one axis if no square has both, and opposite edges of a square are on one axis; that
/// fixes all coordinates. The result is compared with the graph edge by edge, so it is exact. O(ranks * d^3 log d) for
/// d partners of a rank.
std::optional<GridGraph> recognise_grid(const PartnerGraph& graph);

/// Removes the edges that lead along several axes at once, if the graph is that of a halo exchange with diagonals;
/// other graphs lose other edges. With N(x) the partners of x and x, the edge of x and y goes if there is a z so that
/// N(x) & N(y) is a proper subset of N(x) & N(z), or N(x) of N(z) and N(z) of N(y); and the same with x and y
/// exchanged. Source: Hammack and Imrich 2009, Cartesian skeletons for the strong product. O(ranks * d^3 log d).
PartnerGraph without_diagonals(const PartnerGraph& graph);

}  // namespace cubefold
