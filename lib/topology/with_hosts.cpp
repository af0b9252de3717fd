#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "network_links.hpp"

namespace cubefold {

namespace {

/// Returns the number of hosts. Throws std::invalid_argument if the numbers on the nodes make no network.
std::size_t total_of(const Grid& network, std::span<const std::uint32_t> host_count) {
  if (host_count.size() != network.node_count()) {
    throw std::invalid_argument(fmt::format("{} numbers of hosts for the {} nodes of {}", host_count.size(),
                                            network.node_count(), to_string(network)));
  }
  const auto total = std::accumulate(host_count.begin(), host_count.end(), std::size_t{0});
  if (total == 0) throw std::invalid_argument(fmt::format("no node of {} has a host", to_string(network)));
  const std::size_t switches = vertex_count_of(network);
  if (total + switches > RouteTable::most_nodes) {
    throw std::invalid_argument(fmt::format("{} hosts and {} switches; the most of both is {}", total,
                                            switches, RouteTable::most_nodes));
  }
  return total;
}

/// Returns the node of every host.
std::vector<GridNode> nodes_of_hosts(std::span<const std::uint32_t> host_count) {
  std::vector<GridNode> nodes;
  for (std::uint32_t node = 0; node < host_count.size(); ++node)
    nodes.insert(nodes.end(), host_count[node], GridNode{node});
  return nodes;
}

/// Returns the links between hosts, which have the first numbers, and switches, in the order that a RouteTable needs.
std::vector<TableLink> links_with_hosts(const Grid& network, const std::vector<GridNode>& node_of_host) {
  const auto host_total = static_cast<std::uint32_t>(node_of_host.size());
  auto links = table_links_of(network);
  for (TableLink& link : links) link = {host_total + link.from, host_total + link.to, link.rate};
  for (std::uint32_t host = 0; host < host_total; ++host) {
    const auto at = host_total + static_cast<std::uint32_t>(node_of_host[host]);
    links.push_back({host, at});
    links.push_back({at, host});
  }
  sort_links(links);
  return links;
}

/// Returns the vertex to which a message to a host goes next from a switch, or nothing if no route passes there.
std::optional<std::uint32_t> next_vertex(const Grid& network, std::uint32_t at, std::uint32_t host,
                                         const std::vector<GridNode>& node_of_host) {
  const GridNode here{at};
  if (here == node_of_host[host]) return host;
  const auto link = next_link(network, here, node_of_host[host], Tie::balanced);
  if (!link) return std::nullopt;
  return static_cast<std::uint32_t>(node_of_host.size()) + static_cast<std::uint32_t>(end_of(network, *link));
}

std::vector<std::uint32_t> next_links(const Grid& network, const std::vector<GridNode>& node_of_host,
                                      const std::vector<TableLink>& links) {
  const auto host_total = static_cast<std::uint32_t>(node_of_host.size());
  const auto number_of = link_numbers(links);
  const auto no_link = static_cast<std::uint32_t>(links.size());
  std::vector<std::uint32_t> next;
  next.reserve((node_of_host.size() + vertex_count_of(network)) * node_of_host.size());
  for (std::uint32_t host = 0; host < host_total; ++host) {
    const auto at = host_total + static_cast<std::uint32_t>(node_of_host[host]);
    next.insert(next.end(), host_total, number_of.at(Cable(host, at)));
  }
  for (std::uint32_t at = 0; at < vertex_count_of(network); ++at) {
    for (std::uint32_t host = 0; host < host_total; ++host) {
      const auto vertex = next_vertex(network, at, host, node_of_host);
      next.push_back(vertex ? number_of.at(Cable(host_total + at, *vertex)) : no_link);
    }
  }
  return next;
}

/// Returns `hosts=2`, or one number for each node if these differ.
std::string hosts_text(std::span<const std::uint32_t> host_count) {
  const bool are_equal = std::ranges::all_of(host_count, [&](auto count) { return count == host_count[0]; });
  return fmt::format("hosts={}", fmt::join(host_count.first(are_equal ? 1 : host_count.size()), "-"));
}

}  // namespace

Grid with_hosts(const Grid& network, std::span<const std::uint32_t> host_count) {
  const std::size_t total = total_of(network, host_count);
  const auto node_of_host = nodes_of_hosts(host_count);
  auto links = links_with_hosts(network, node_of_host);
  auto next = next_links(network, node_of_host, links);
  WholeNetwork whole{network, node_of_host};
  for (std::uint32_t node = 0; node < network.node_count(); ++node)
    whole.node_of_vertex.push_back(GridNode{node});
  return {std::move(whole), RouteTable(total, std::move(links), std::move(next), vertex_count_of(network)),
          fmt::format("{},{}", to_string(network), hosts_text(host_count))};
}

}  // namespace cubefold
