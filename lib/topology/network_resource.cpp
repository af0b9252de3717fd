#include "network_resource.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cubefold {

namespace {

/// Returns what the coordinate on an axis adds to the number of a node.
std::size_t share_of_axis(const Grid& network, GridNode node, int axis) {
  return network.coordinate(node, axis) * network.stride(axis);
}

std::string name_of_plane(int first, int second) {
  return fmt::format("plane/{}-{}", first, second);
}

}  // namespace

std::vector<std::string> resource_names(const Grid& network) {
  std::vector<std::string> names{"node", "slot"};
  for (int axis = 0; axis < network.axis_count(); ++axis) names.push_back(fmt::format("axis/{}", axis));
  for (int first = 0; first < network.axis_count(); ++first) {
    for (int second = first + 1; second < network.axis_count(); ++second)
      names.push_back(name_of_plane(first, second));
  }
  return names;
}

std::size_t resource_number(const Grid& network, const NetworkPlace& place, std::string_view name) {
  if (name == "slot") return place.slot;
  const auto node = static_cast<std::size_t>(place.node);
  if (name == "node") return node;
  for (int first = 0; first < network.axis_count(); ++first) {
    const std::size_t without_first = node - share_of_axis(network, place.node, first);
    if (name == fmt::format("axis/{}", first)) return without_first;
    for (int second = first + 1; second < network.axis_count(); ++second) {
      if (name == name_of_plane(first, second))
        return without_first - share_of_axis(network, place.node, second);
    }
  }
  throw std::invalid_argument(
      fmt::format("resource '{}' of {} is not node, slot, axis/K or plane/K-L with axes K < L below {}", name,
                  to_string(network), network.axis_count()));
}

}  // namespace cubefold
