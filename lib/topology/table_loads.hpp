#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Calls visit(number of the link) for every link of the route from one node to another, in the order of the route.
/// Costs O(hops).
template <typename Visit>
void for_each_link_of_route(const RouteTable& table, std::size_t from, std::size_t to, Visit visit) {
  while (from != to) {
    const std::size_t link = table.next_link(from, to);
    visit(link);
    from = table.links()[link].to;
  }
}

/// Calls visit(link, messages) for every link that carries messages to a node when every node sends it one. Costs
/// O(vertices).
template <typename Visit>
void for_each_load_to(const RouteTable& table, std::size_t to, Visit visit) {
  const std::size_t vertex_count = table.vertex_count();
  const auto next_vertex = [&](std::size_t here) { return table.links()[table.next_link(here, to)].to; };
  std::vector<std::uint32_t> awaited(vertex_count);  // vertices that have not yet passed on to this one
  std::vector<std::uint64_t> messages(vertex_count);
  for (std::size_t node = 0; node < table.node_count(); ++node) {
    messages[node] = 1;
    // A switch is followed when a route comes to it first, since only those that routes pass have entries.
    for (std::size_t here = node; here != to; here = next_vertex(here))
      if (++awaited[next_vertex(here)] > 1 || next_vertex(here) < table.node_count()) break;
  }
  for (std::size_t leaf = 0; leaf < table.node_count(); ++leaf) {
    // A vertex passes its messages on when those of all behind it are there, and is marked as done then.
    for (std::size_t here = leaf; here != to && awaited[here] == 0; here = next_vertex(here)) {
      visit(table.next_link(here, to), messages[here]);
      messages[next_vertex(here)] += messages[here];
      --awaited[next_vertex(here)];
      awaited[here] = UINT32_MAX;
    }
  }
}

/// Returns the messages on every link when every node sends one message to every other node. Costs
/// O(nodes * vertices).
inline std::vector<std::uint64_t> all_to_all_loads(const RouteTable& table) {
  std::vector<std::uint64_t> loads(table.links().size());
  for (std::size_t to = 0; to < table.node_count(); ++to)
    for_each_load_to(table, to, [&](std::size_t link, std::uint64_t messages) { loads[link] += messages; });
  return loads;
}

}  // namespace cubefold
