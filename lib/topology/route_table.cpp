#include "cubefold/topology/route_table.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cubefold {

namespace {

void require_link(const TableLink& link, std::size_t vertex_count) {
  if (link.from >= vertex_count || link.to >= vertex_count || link.from == link.to) {
    throw std::invalid_argument(
        fmt::format("RouteTable: the link from {} to {} does not join two of {} nodes", link.from, link.to,
                    vertex_count));
  }
  if (link.rate >= 1 && link.rate <= RouteTable::most_rate) return;
  throw std::invalid_argument(
      fmt::format("RouteTable: the rate {} of the link from {} to {} is not in 1 .. {}", link.rate, link.from,
                  link.to, RouteTable::most_rate));
}

}  // namespace

RouteTable::RouteTable(std::size_t node_count, std::vector<TableLink> links, std::vector<std::uint32_t> next,
                       std::size_t switch_count)
    : node_count_(node_count), links_(std::move(links)), next_(std::move(next)) {
  const std::size_t vertex_count = node_count + switch_count;
  if (vertex_count > most_nodes) {
    throw std::invalid_argument(
        fmt::format("RouteTable: {} nodes and switches; the most is {}", vertex_count, most_nodes));
  }
  for (const TableLink& link : links_) require_link(link, vertex_count);
  require_order();
  if (next_.size() != vertex_count * node_count) {
    throw std::invalid_argument(fmt::format("RouteTable: {} entries for {} nodes", next_.size(), node_count));
  }
  first_link_.assign(vertex_count + 1, 0);
  for (const TableLink& link : links_) ++first_link_[link.from + 1];
  for (std::size_t vertex = 0; vertex < vertex_count; ++vertex)
    first_link_[vertex + 1] += first_link_[vertex];
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

std::uint64_t RouteTable::digest() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (number >> shift & 0xff)) * 0x100000001b3;
  };
  add(node_count_);
  add(vertex_count());
  for (const TableLink& link : links_) {
    add(link.from);
    add(link.to);
    add(std::bit_cast<std::uint64_t>(link.rate));
  }
  for (std::size_t here = 0; here < vertex_count(); ++here) {
    for (std::size_t to = 0; to < node_count_; ++to)
      add(here != to && has_next_link(here, to) ? next_link(here, to) : links_.size());
  }
  return hash;
}

/// Follows the routes to a node from all others, each as far as a vertex from where the way is known.
void RouteTable::require_arrival(std::size_t to) const {
  enum class Way : std::uint8_t { unknown, followed, arrives };
  std::vector<Way> ways(vertex_count(), Way::unknown);
  ways[to] = Way::arrives;
  for (std::size_t from = 0; from < node_count(); ++from) {
    std::vector<std::size_t> followed;
    std::size_t here = from;
    while (ways[here] == Way::unknown) {
      ways[here] = Way::followed;
      followed.push_back(here);
      if (!has_next_link(here, to)) break;
      here = links_[next_link(here, to)].to;
    }
    if (ways[here] != Way::arrives) {
      throw std::invalid_argument(fmt::format("RouteTable: the route from {} to {} never arrives", from, to));
    }
    for (const std::size_t vertex : followed) ways[vertex] = Way::arrives;
  }
}

}  // namespace cubefold
