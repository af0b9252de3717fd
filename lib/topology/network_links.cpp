#include "network_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "cubefold/topology/route.hpp"

namespace cubefold {

namespace {

/// Returns links of rate 1 between different nodes.
std::vector<TableLink> links_between(const std::set<Cable>& pairs) {
  std::vector<TableLink> links;
  for (const auto& [from, to] : pairs)
    if (from != to) links.push_back({from, to});
  return links;
}

}  // namespace

std::size_t vertex_count_of(const Grid& network) {
  return network.route_table() == nullptr ? network.node_count() : network.route_table()->vertex_count();
}

std::vector<TableLink> table_links_of(const Grid& network) {
  return network.route_table() == nullptr ? grid_links(network) : network.route_table()->links();
}

void sort_links(std::vector<TableLink>& links) {
  std::ranges::sort(links, {}, [](const TableLink& link) { return Cable(link.from, link.to); });
}

std::map<Cable, std::uint32_t> link_numbers(const std::vector<TableLink>& links) {
  std::map<Cable, std::uint32_t> number_of;
  for (std::uint32_t i = 0; i < links.size(); ++i) number_of[Cable(links[i].from, links[i].to)] = i;
  return number_of;
}

std::vector<TableLink> grid_links(const Grid& grid) {
  std::set<Cable> pairs;
  for (const Link& link : links_of(grid))
    pairs.emplace(static_cast<std::uint32_t>(link.from), static_cast<std::uint32_t>(end_of(grid, link)));
  return links_between(pairs);
}

std::vector<TableLink> twisted_links(const Grid& torus, std::uint32_t twist) {
  const std::uint32_t width = torus.extent(0);
  const std::uint32_t height = torus.extent(1);
  std::set<Cable> pairs;
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint32_t here = x + width * y;
      const std::uint32_t up = x + 1 < width ? here + 1 : width * ((y + twist) % height);
      const std::uint32_t along = x + width * ((y + 1) % height);
      for (const std::uint32_t neighbour : {up, along}) {
        pairs.emplace(here, neighbour);
        pairs.emplace(neighbour, here);
      }
    }
  }
  return links_between(pairs);
}

std::vector<TableLink> hyperx_links(const Grid& grid) {
  std::set<Cable> pairs;
  for (std::size_t here = 0; here < grid.node_count(); ++here) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const auto own = grid.coordinate(static_cast<GridNode>(here), axis);
      for (std::uint32_t other = 0; other < grid.extent(axis); ++other) {
        const std::size_t there = here - own * grid.stride(axis) + other * grid.stride(axis);
        pairs.emplace(static_cast<std::uint32_t>(here), static_cast<std::uint32_t>(there));
      }
    }
  }
  return links_between(pairs);
}

std::vector<TableLink> without_cables(std::vector<TableLink> links, const std::vector<Cable>& cables) {
  for (const auto& [a, b] : cables) {
    const auto removed = std::erase_if(links, [one = a, other = b](const TableLink& link) {
      return (link.from == one && link.to == other) || (link.from == other && link.to == one);
    });
    if (removed > 0) continue;
    throw std::invalid_argument(fmt::format("there is no cable between the nodes {} and {}", a, b));
  }
  return links;
}

}  // namespace cubefold
