#include "cubefold/topology/route_table.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>
#include <utility>

namespace cubefold {

namespace {

void require_link(const TableLink& link, std::size_t node_count) {
  if (link.from >= node_count || link.to >= node_count || link.from == link.to) {
    throw std::invalid_argument(fmt::format(
        "RouteTable: the link from {} to {} does not join two of {} nodes", link.from, link.to, node_count));
  }
  if (link.rate >= 1 && link.rate <= RouteTable::most_rate) return;
  throw std::invalid_argument(
      fmt::format("RouteTable: the rate {} of the link from {} to {} is not in 1 .. {}", link.rate, link.from,
                  link.to, RouteTable::most_rate));
}

}  // namespace

RouteTable::RouteTable(std::size_t node_count, std::vector<TableLink> links, std::vector<std::uint32_t> next)
    : links_(std::move(links)), next_(std::move(next)) {
  if (node_count > most_nodes) {
    throw std::invalid_argument(fmt::format("RouteTable: {} nodes; the most is {}", node_count, most_nodes));
  }
  for (const TableLink& link : links_) require_link(link, node_count);
  require_order();
  if (next_.size() != node_count * node_count) {
    throw std::invalid_argument(fmt::format("RouteTable: {} entries for {} nodes", next_.size(), node_count));
  }
  first_link_.assign(node_count + 1, 0);
  for (const TableLink& link : links_) ++first_link_[link.from + 1];
  for (std::size_t node = 0; node < node_count; ++node) first_link_[node + 1] += first_link_[node];
  for (std::size_t to = 0; to < node_count; ++to) require_arrival(to);
}

void RouteTable::require_order() const {
  for (std::size_t i = 1; i < links_.size(); ++i) {
    const TableLink& before = links_[i - 1];
    const TableLink& link = links_[i];
    if (std::tie(before.from, before.to) < std::tie(link.from, link.to)) continue;
    throw std::invalid_argument(
        fmt::format("RouteTable: the link from {} to {} is not in order", link.from, link.to));
  }
}

/// Follows the routes to a node from all others, each as far as a node from where the way is known.
void RouteTable::require_arrival(std::size_t to) const {
  enum class Way : std::uint8_t { unknown, followed, arrives };
  std::vector<Way> ways(node_count(), Way::unknown);
  ways[to] = Way::arrives;
  for (std::size_t from = 0; from < node_count(); ++from) {
    std::vector<std::size_t> followed;
    std::size_t here = from;
    while (ways[here] == Way::unknown) {
      ways[here] = Way::followed;
      followed.push_back(here);
      const std::size_t link = next_link(here, to);
      if (link < first_link(here) || link >= first_link(here + 1)) break;
      here = links_[link].to;
    }
    if (ways[here] != Way::arrives) {
      throw std::invalid_argument(fmt::format("RouteTable: the route from {} to {} never arrives", from, to));
    }
    for (const std::size_t node : followed) ways[node] = Way::arrives;
  }
}

}  // namespace cubefold
