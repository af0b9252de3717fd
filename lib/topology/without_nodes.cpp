#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "network_links.hpp"

namespace cubefold {

namespace {

/// Returns which nodes are missing. Throws for a node that does not exist or is named twice, and if none is left.
std::vector<bool> marked(const Grid& network, const std::vector<GridNode>& missing) {
  std::vector<bool> is_missing(network.node_count());
  for (const GridNode node : missing) {
    const auto number = static_cast<std::size_t>(node);
    if (number >= is_missing.size())
      throw std::invalid_argument(fmt::format("{} has no node {}", to_string(network), number));
    if (is_missing[number]) throw std::invalid_argument(fmt::format("node {} is left out twice", number));
    is_missing[number] = true;
  }
  if (missing.size() == network.node_count())
    throw std::invalid_argument(fmt::format("no node of {} is left", to_string(network)));
  return is_missing;
}

/// Numbers the vertices of a network anew: the nodes that are left, those that are missing, and the switches, each in
/// their order.
class Renumbering {
 public:
  Renumbering(std::size_t vertex_count, const std::vector<bool>& is_missing)
      : old_vertex_(vertex_count), new_vertex_(vertex_count) {
    std::iota(old_vertex_.begin(), old_vertex_.end(), 0U);
    const auto nodes_end = old_vertex_.begin() + static_cast<std::ptrdiff_t>(is_missing.size());
    std::stable_partition(old_vertex_.begin(), nodes_end,
                          [&](std::uint32_t old) { return !is_missing[old]; });
    for (std::uint32_t i = 0; i < vertex_count; ++i) new_vertex_[old_vertex_[i]] = i;
  }

  std::uint32_t old_vertex(std::size_t vertex) const { return old_vertex_[vertex]; }
  std::uint32_t new_vertex(std::size_t old) const { return new_vertex_[old]; }

 private:
  std::vector<std::uint32_t> old_vertex_;
  std::vector<std::uint32_t> new_vertex_;
};

/// Returns the links between the vertices under their new numbers, in the order that a RouteTable needs.
std::vector<TableLink> renumbered_links(const Grid& network, const Renumbering& numbers) {
  auto links = table_links_of(network);
  for (TableLink& link : links)
    link = {numbers.new_vertex(link.from), numbers.new_vertex(link.to), link.rate};
  sort_links(links);
  return links;
}

/// Returns the entries of the route table: the routes of the whole network between the nodes that are left.
std::vector<std::uint32_t> next_links(const Grid& network, std::size_t node_count, const Renumbering& numbers,
                                      const std::vector<TableLink>& links) {
  const auto number_of = link_numbers(links);
  const auto no_link = static_cast<std::uint32_t>(links.size());
  const std::size_t vertex_count = vertex_count_of(network);
  std::vector<std::uint32_t> next;
  next.reserve(vertex_count * node_count);
  for (std::size_t here = 0; here < vertex_count; ++here) {
    const GridNode from{numbers.old_vertex(here)};
    for (std::size_t to = 0; to < node_count; ++to) {
      const auto link = next_link(network, from, GridNode{numbers.old_vertex(to)}, Tie::balanced);
      next.push_back(no_link);
      if (!link) continue;
      const auto end = static_cast<std::size_t>(end_of(network, *link));
      next.back() = number_of.at(Cable(static_cast<std::uint32_t>(here), numbers.new_vertex(end)));
    }
  }
  return next;
}

}  // namespace

Grid without_nodes(const Grid& network, std::vector<GridNode> missing) {
  if (missing.empty()) return network;
  const std::size_t vertex_count = vertex_count_of(network);
  if (vertex_count > RouteTable::most_nodes) {
    throw std::invalid_argument(fmt::format("{} nodes; the most of a network without some of its nodes is {}",
                                            vertex_count, RouteTable::most_nodes));
  }
  const auto is_missing = marked(network, missing);
  std::ranges::sort(missing);
  const std::size_t node_count = network.node_count() - missing.size();
  const Renumbering numbers(vertex_count, is_missing);
  auto links = renumbered_links(network, numbers);
  auto next = next_links(network, node_count, numbers, links);
  std::vector<std::uint32_t> names;
  names.reserve(missing.size());
  for (const GridNode node : missing) names.push_back(static_cast<std::uint32_t>(node));
  WholeNetwork whole{network, {}};
  for (std::size_t vertex = 0; vertex < network.node_count(); ++vertex)
    whole.node_of_vertex.push_back(GridNode{numbers.old_vertex(vertex)});
  return {std::move(whole),
          RouteTable(node_count, std::move(links), std::move(next), vertex_count - node_count),
          fmt::format("{},without={}", to_string(network), fmt::join(names, "-"))};
}

WholeNetwork whole_network_of(const Grid& grid) {
  if (grid.whole_) return *grid.whole_;
  WholeNetwork whole{grid, {}};
  for (std::uint32_t node = 0; node < grid.node_count(); ++node)
    whole.node_of_vertex.push_back(GridNode{node});
  return whole;
}

}  // namespace cubefold
