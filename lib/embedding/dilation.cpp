#include "cubefold/embedding/dilation.hpp"

#include "cube_loads.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

DilationSpectrum dilation_spectrum(const Placement& placement) {
  DilationSpectrum spectrum;
  for_each_cube_link(placement,
                     [&](int, GridNode a, GridNode b) { ++spectrum[distance_hops(placement.grid(), a, b)]; });
  return spectrum;
}

std::uint64_t total_dilation(const DilationSpectrum& spectrum) {
  std::uint64_t total = 0;
  for (const auto& [hops, links] : spectrum) total += hops * links;
  return total;
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
    if (distance && distance != distance_hops(placement.grid(), a, b)) distance.reset();
  });
  return distances;
}

}  // namespace cubefold
