#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/host_map.hpp"

namespace cubefold {

namespace {

/// The coordinates that are used on an axis, in the order of the axis. An arc of a ring may lead over its end.
struct Arc {
  std::uint32_t first;
  std::uint32_t length;
};

/// Returns the different coordinates of the nodes on an axis, in ascending order.
std::vector<std::uint32_t> used_coordinates(const Grid& network, std::span<const GridNode> nodes, int axis) {
  std::vector<std::uint32_t> used;
  used.reserve(nodes.size());
  for (const GridNode node : nodes) used.push_back(network.coordinate(node, axis));
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// Returns the shortest arc of a ring that has all used coordinates: the ring without its longest gap.
Arc shortest_arc(const std::vector<std::uint32_t>& used, std::uint32_t extent) {
  Arc best{used.front(), used.back() - used.front() + 1};
  for (std::size_t i = 1; i < used.size(); ++i) {
    const std::uint32_t length = extent - (used[i] - used[i - 1]) + 1;
    if (length < best.length) best = {used[i], length};
  }
  return best;
}

/// Says how an axis of the network appears in the part: coordinate c becomes (c - first) modulo the extent of the
/// network's axis.
struct PartAxis {
  int axis;
  std::uint32_t first;
  Axis part;
};

PartAxis part_axis(const Grid& network, std::span<const GridNode> nodes, int axis) {
  const Axis& whole = network.axes()[static_cast<std::size_t>(axis)];
  const auto used = used_coordinates(network, nodes, axis);
  if (whole.ends == Ends::open) return {axis, used.front(), {used.back() - used.front() + 1, Ends::open}};
  const Arc arc = shortest_arc(used, whole.extent);
  const bool stays_inside = 2 * (std::uint64_t{arc.length} - 1) < whole.extent;
  return stays_inside ? PartAxis{axis, arc.first, {arc.length, Ends::open}} : PartAxis{axis, 0, whole};
}

std::vector<PartAxis> part_axes(const Grid& network, std::span<const GridNode> nodes) {
  std::vector<PartAxis> axes;
  for (int axis = 0; axis < network.axis_count(); ++axis) {
    axes.push_back(part_axis(network, nodes, axis));
    if (axes.back().part.extent == 1) axes.pop_back();
  }
  return axes;
}

Grid grid_of(const std::vector<PartAxis>& axes) {
  if (axes.empty()) return Grid(std::vector<Axis>{{1, Ends::open}});
  std::vector<Axis> result;
  result.reserve(axes.size());
  for (const PartAxis& axis : axes) result.push_back(axis.part);
  return Grid(std::move(result));
}

GridNode node_in_part(const Grid& network, const Grid& part, const std::vector<PartAxis>& axes,
                      GridNode node) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const PartAxis& axis = axes[i];
    const std::uint64_t extent = network.extent(axis.axis);
    const std::uint64_t steps = network.coordinate(node, axis.axis) + extent - axis.first;
    index += steps % extent * part.stride(static_cast<int>(i));
  }
  return static_cast<GridNode>(index);
}

}  // namespace

NetworkPart part_of(const Grid& network, std::span<const GridNode> nodes) {
  if (nodes.empty()) throw std::invalid_argument("part_of: there are no nodes");
  if (network.route_table() != nullptr) return {network, {nodes.begin(), nodes.end()}};
  const auto axes = part_axes(network, nodes);
  NetworkPart part{grid_of(axes), {}};
  part.nodes.reserve(nodes.size());
  for (const GridNode node : nodes) part.nodes.push_back(node_in_part(network, part.grid, axes, node));
  return part;
}

Grid network_of_hosts(const Grid& grid, std::span<const std::uint32_t> host_count) {
  const bool is_simple = std::ranges::all_of(host_count, [](std::uint32_t count) { return count <= 1; });
  if (!is_simple || host_count.size() != grid.node_count()) return with_hosts(grid, host_count);
  std::vector<GridNode> empty;
  for (std::uint32_t node = 0; node < host_count.size(); ++node)
    if (host_count[node] == 0) empty.push_back(GridNode{node});
  return without_nodes(grid, std::move(empty));
}

}  // namespace cubefold
