#include "cubefold/embedding/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cubefold/topology/link_loads.hpp"

namespace cubefold {

namespace {

/// Calls visit(dimension, node of the lower rank, node of the higher rank) for every undirected cube link.
template <typename Visit>
void for_each_cube_link(const Placement& placement, Visit visit) {
  const int dimensions = dimension_count(placement);
  for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
    const auto rank = static_cast<Rank>(r);
    for (int i = 0; i < dimensions; ++i) {
      const auto other = neighbour(rank, i);
      if (label(other) > r) visit(i, placement.node_of(rank), placement.node_of(other));
    }
  }
}

}  // namespace

std::map<std::uint32_t, std::uint64_t> dilation_spectrum(const Placement& placement) {
  std::map<std::uint32_t, std::uint64_t> spectrum;
  for_each_cube_link(placement,
                     [&](int, GridNode a, GridNode b) { ++spectrum[distance_hops(placement.grid(), a, b)]; });
  return spectrum;
}

std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement) {
  const auto size = static_cast<std::size_t>(dimension_count(placement));
  std::vector<std::optional<std::uint32_t>> distances(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto neighbour_of_0 = placement.node_of(neighbour(Rank{0}, static_cast<int>(i)));
    distances[i] = distance_hops(placement.grid(), placement.node_of(Rank{0}), neighbour_of_0);
  }
  for_each_cube_link(placement, [&](int i, GridNode a, GridNode b) {
    auto& distance = distances[static_cast<std::size_t>(i)];
    if (distance != distance_hops(placement.grid(), a, b)) distance.reset();
  });
  return distances;
}

NodeLoad node_load(const Placement& placement) {
  std::vector<std::uint64_t> loads(placement.rank_count());
  for_each_cube_link(placement, [&](int, GridNode a, GridNode b) {
    ++loads[static_cast<std::size_t>(a)];
    for (const GridNode node : nodes_on_route(placement.grid(), a, b, Tie::balanced)) {
      ++loads[static_cast<std::size_t>(node)];
    }
  });
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  const auto total = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
  return {*most, *least, static_cast<double>(total) / static_cast<double>(loads.size())};
}

std::uint64_t busiest_link(const Placement& placement, std::span<const int> dimensions, Tie tie) {
  const int dimension_limit = dimension_count(placement);
  LinkLoads loads(placement.grid(), tie);
  for (const int i : dimensions) {
    if (i < 0 || i >= dimension_limit) {
      throw std::invalid_argument(
          fmt::format("busiest_link: dimension {} is not in 0 .. {}", i, dimension_limit - 1));
    }
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
      const auto rank = static_cast<Rank>(r);
      loads.add(placement.node_of(rank), placement.node_of(neighbour(rank, i)));
    }
  }
  return loads.busiest();
}

}  // namespace cubefold
