#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Calls visit(link, messages) for every link that carries messages to a node when every node sends it one. Costs
/// O(nodes).
template <typename Visit>
void for_each_load_to(const RouteTable& table, std::size_t to, Visit visit) {
  const std::size_t node_count = table.node_count();
  const auto next_node = [&](std::size_t node) { return table.links()[table.next_link(node, to)].to; };
  std::vector<std::uint32_t> awaited(
      node_count);  // nodes whose next node this is, and that have not passed on
  for (std::size_t node = 0; node < node_count; ++node)
    if (node != to) ++awaited[next_node(node)];
  std::vector<std::uint64_t> messages(node_count, 1);
  for (std::size_t leaf = 0; leaf < node_count; ++leaf) {
    // A node passes its messages on when those of all nodes behind it are there, and is marked as done then.
    for (std::size_t node = leaf; node != to && awaited[node] == 0; node = next_node(node)) {
      visit(table.next_link(node, to), messages[node]);
      messages[next_node(node)] += messages[node];
      --awaited[next_node(node)];
      awaited[node] = UINT32_MAX;
    }
  }
}

/// Returns the messages on every link when every node sends one message to every other node. Costs O(nodes^2).
inline std::vector<std::uint64_t> all_to_all_loads(const RouteTable& table) {
  std::vector<std::uint64_t> loads(table.links().size());
  for (std::size_t to = 0; to < table.node_count(); ++to)
    for_each_load_to(table, to, [&](std::size_t link, std::uint64_t messages) { loads[link] += messages; });
  return loads;
}

}  // namespace cubefold
