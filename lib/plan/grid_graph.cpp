#include <algorithm>
#include <numeric>
#include <utility>

#include "hosts/grid_recognition.hpp"
#include "partner_graph.hpp"

namespace cubefold {

namespace {

using Ranks = std::vector<std::uint32_t>;

/// Returns the number of each rank in its component.
Ranks numbers_in(const std::vector<Ranks>& components, std::size_t rank_count) {
  Ranks number(rank_count);
  for (const Ranks& ranks : components)
    for (std::size_t i = 0; i < ranks.size(); ++i) number[ranks[i]] = static_cast<std::uint32_t>(i);
  return number;
}

Neighbours neighbours_in(const PartnerGraph& graph, const Ranks& ranks, const Ranks& number) {
  Neighbours neighbours(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const auto partner : graph.partners(ranks[i])) neighbours[i].push_back(number[partner]);
    std::ranges::sort(neighbours[i]);
  }
  return neighbours;
}

/// Returns the axes of a grid, the longest first. Among equal ones the last comes first.
std::vector<std::size_t> longest_first(const std::vector<Axis>& axes) {
  std::vector<std::size_t> order(axes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(axes[b].extent, axes[b].ends) < std::pair(axes[a].extent, axes[a].ends);
  });
  return order;
}

/// Returns for each axis whether it is a line that has to be turned to begin at its end with the smaller rank. Looks at
/// the lines through the first rank.
std::vector<bool> turned_axes(const RecognisedGrid& found, const Ranks& ranks) {
  Ranks rank_at(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    rank_at[static_cast<std::size_t>(found.node_of_vertex[i])] = ranks[i];
  std::vector<bool> turned;
  for (std::size_t axis = 0; axis < found.grid.axes().size(); ++axis) {
    const auto [extent, ends] = found.grid.axes()[axis];
    auto at = found.grid.coordinates(found.node_of_vertex[0]);
    at[axis] = 0;
    const auto first = rank_at[static_cast<std::size_t>(found.grid.node_at(at))];
    at[axis] = extent - 1;
    const auto last = rank_at[static_cast<std::size_t>(found.grid.node_at(at))];
    turned.push_back(ends == Ends::open && last < first);
  }
  return turned;
}

/// Returns the grid with the longest axes first and lines that begin at their ends with the smaller ranks.
RecognisedGrid in_order_of_ranks(const RecognisedGrid& found, const Ranks& ranks) {
  const auto order = longest_first(found.grid.axes());
  const auto turned = turned_axes(found, ranks);
  std::vector<Axis> axes;
  for (const std::size_t axis : order) axes.push_back(found.grid.axes()[axis]);
  RecognisedGrid result{Grid(std::move(axes)), {}};
  for (const GridNode node : found.node_of_vertex) {
    const auto from = found.grid.coordinates(node);
    auto at = from;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t axis = order[k];
      at[k] = turned[axis] ? found.grid.axes()[axis].extent - 1 - from[axis] : from[axis];
    }
    result.node_of_vertex.push_back(result.grid.node_at(at));
  }
  return result;
}

}  // namespace

std::optional<GridGraph> recognise_grid(const PartnerGraph& graph) {
  if (graph.pair_count() == 0) return std::nullopt;
  const auto components = graph.components();
  const std::size_t size = components.front().size();
  if (std::ranges::any_of(components, [&](const Ranks& ranks) { return ranks.size() != size; }))
    return std::nullopt;
  const Ranks number = numbers_in(components, graph.rank_count());
  GridGraph result{Grid({}), std::vector<GridNode>(graph.rank_count())};
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Ranks& ranks = components[c];
    const auto found = recognised_grid(neighbours_in(graph, ranks, number));
    if (!std::holds_alternative<RecognisedGrid>(found)) return std::nullopt;
    const RecognisedGrid part = in_order_of_ranks(std::get<RecognisedGrid>(found), ranks);
    if (c > 0 && part.grid != result.grid) return std::nullopt;
    result.grid = part.grid;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t node = c * size + static_cast<std::size_t>(part.node_of_vertex[i]);
      result.node_of_rank[ranks[i]] = static_cast<GridNode>(node);
    }
  }
  auto axes = result.grid.axes();
  if (components.size() > 1) axes.push_back({static_cast<std::uint32_t>(components.size()), Ends::open});
  result.grid = Grid(std::move(axes));
  return result;
}

}  // namespace cubefold
