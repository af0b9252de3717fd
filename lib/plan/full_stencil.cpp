#include <algorithm>
#include <map>
#include <utility>

#include "partner_graph.hpp"

namespace cubefold {

namespace {

using Ranks = std::vector<std::uint32_t>;

/// Returns the classes of ranks that have the same partners apart from each other. The classes and the ranks of each
/// are in ascending order.
std::vector<Ranks> twin_classes(const PartnerGraph& graph) {
  std::map<Ranks, std::size_t> class_of_neighbourhood;
  std::vector<Ranks> classes;
  for (std::uint32_t rank = 0; rank < graph.rank_count(); ++rank) {
    const auto partners = graph.partners(rank);
    Ranks near(partners.begin(), partners.end());
    near.insert(std::ranges::lower_bound(near, rank), rank);
    const auto [found, is_new] = class_of_neighbourhood.emplace(std::move(near), classes.size());
    if (is_new) classes.emplace_back();
    classes[found->second].push_back(rank);
  }
  return classes;
}

/// Returns the graph of the classes. Two classes are partners if their ranks are.
PartnerGraph graph_of_classes(const PartnerGraph& graph, const std::vector<Ranks>& classes) {
  std::vector<std::uint32_t> class_of_rank(graph.rank_count());
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    for (const auto rank : classes[c]) class_of_rank[rank] = c;
  }
  std::vector<PartnerGraph::Pair> pairs;
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    for (const auto partner : graph.partners(classes[c][0])) pairs.emplace_back(c, class_of_rank[partner]);
  }
  return {std::move(pairs), classes.size()};
}

/// Appends axes of prime extents for the ranks of a class, which are all partners of each other.
void append_complete_axes(std::uint32_t class_size, std::vector<Axis>& axes) {
  for (std::uint32_t factor = 2; class_size > 1; ++factor) {
    for (; class_size % factor == 0; class_size /= factor)
      axes.push_back({factor, factor == 2 ? Ends::open : Ends::wrapped});
  }
}

}  // namespace

std::optional<GridGraph> recognise_full_stencil(const PartnerGraph& graph) {
  const auto classes = twin_classes(graph);
  const auto class_size = classes.empty() ? 1 : classes[0].size();
  const auto is_equal = [class_size](const Ranks& ranks) { return ranks.size() == class_size; };
  if (!std::ranges::all_of(classes, is_equal)) return std::nullopt;
  const auto of_classes = recognise_grid(without_diagonals(graph_of_classes(graph, classes)));
  if (!of_classes) return std::nullopt;
  auto axes = of_classes->grid.axes();
  append_complete_axes(static_cast<std::uint32_t>(class_size), axes);
  GridGraph result{Grid(std::move(axes)), std::vector<GridNode>(graph.rank_count())};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t i = 0; i < class_size; ++i) {
      const auto node = static_cast<std::size_t>(of_classes->node_of_rank[c]) + i * classes.size();
      result.node_of_rank[classes[c][i]] = static_cast<GridNode>(node);
    }
  }
  return result;
}

}  // namespace cubefold
