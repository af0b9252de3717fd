#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "partner_graph.hpp"

namespace cubefold {

namespace {

using Ranks = std::vector<std::uint32_t>;

bool is_smaller_part(const Ranks& part, const Ranks& whole) {
  return part.size() < whole.size() && std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

Ranks common(const Ranks& a, const Ranks& b) {
  Ranks result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

/// Returns the partners of every rank together with itself.
std::vector<Ranks> neighbourhoods(const PartnerGraph& graph) {
  std::vector<Ranks> result;
  for (std::uint32_t rank = 0; rank < graph.rank_count(); ++rank) {
    const auto partners = graph.partners(rank);
    Ranks& ranks = result.emplace_back(partners.begin(), partners.end());
    ranks.insert(std::lower_bound(ranks.begin(), ranks.end(), rank), rank);
  }
  return result;
}

/// Returns whether the rank with neighbourhood z proves that the edge between the ranks with neighbourhoods x and y
/// leads along several axes.
bool shows_diagonal(const Ranks& x, const Ranks& y, const Ranks& z) {
  const Ranks of_both = common(x, y);
  const bool from_x =
      is_smaller_part(of_both, common(x, z)) || (is_smaller_part(x, z) && is_smaller_part(z, y));
  const bool from_y =
      is_smaller_part(of_both, common(y, z)) || (is_smaller_part(y, z) && is_smaller_part(z, x));
  return from_x && from_y;
}

}  // namespace

PartnerGraph without_diagonals(const PartnerGraph& graph) {
  const auto near = neighbourhoods(graph);
  std::vector<PartnerGraph::Pair> kept;
  for (std::uint32_t rank = 0; rank < graph.rank_count(); ++rank) {
    for (const auto partner : graph.partners(rank)) {
      if (partner < rank) continue;
      const Ranks between = common(near[rank], near[partner]);
      const bool goes = std::any_of(between.begin(), between.end(), [&](std::uint32_t third) {
        return shows_diagonal(near[rank], near[partner], near[third]);
      });
      if (!goes) kept.emplace_back(rank, partner);
    }
  }
  return {std::move(kept), graph.rank_count()};
}

}  // namespace cubefold
