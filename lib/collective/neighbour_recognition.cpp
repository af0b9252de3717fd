#include "neighbour_recognition.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

namespace cubefold {

namespace {

constexpr std::size_t most_axes = 4;
constexpr std::size_t most_grids = 10000;

/// Appends the grids whose first axes are given and whose other extents, of 2 and more, have the product `rest`.
void append_grids(std::vector<Axis>& axes, std::size_t rest, std::vector<std::vector<Axis>>& grids) {
  if (grids.size() >= most_grids) return;
  if (rest == 1) {
    grids.push_back(axes);
    return;
  }
  if (axes.size() == most_axes) return;
  for (std::size_t extent = 2; extent <= rest; ++extent) {
    if (rest % extent != 0) continue;
    if (axes.size() + 1 == most_axes && extent != rest) continue;
    for (const Ends ends : {Ends::wrapped, Ends::open}) {
      if (extent == 2 && ends == Ends::open) continue;
      axes.push_back({static_cast<std::uint32_t>(extent), ends});
      append_grids(axes, rest / extent, grids);
      axes.pop_back();
    }
  }
}

/// Returns the number of distances other than 0 on all axes, which is that of the messages that combine blocks.
std::size_t combined_messages(const NeighbourGrid& grid) {
  std::size_t count = 0;
  for (int axis = 0; axis < grid.ranks().axis_count(); ++axis) {
    std::set<std::int32_t> distances;
    for (std::size_t edge = 0; edge < grid.edge_count(); ++edge)
      distances.insert(grid.offset(edge)[static_cast<std::size_t>(axis)]);
    count += distances.size() - (distances.contains(0) ? 1 : 0);
  }
  return count;
}

NeighbourGrid grid_of(std::vector<Axis> axes, Rank rank, std::span<const Rank> destinations) {
  const NeighbourGrid without_edges(Grid(std::move(axes)), {});
  std::vector<NeighbourGrid::Offset> offsets;
  for (const Rank destination : destinations)
    offsets.push_back(without_edges.offset_between(rank, destination));
  return {without_edges.ranks(), std::move(offsets)};
}

bool are_same(std::vector<Rank> expected, std::span<const Rank> ranks) {
  std::vector<Rank> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  std::ranges::sort(expected);
  return sorted == expected;
}

}  // namespace

std::vector<NeighbourGrid> possible_neighbour_grids(std::size_t rank_count, Rank rank,
                                                    std::span<const Rank> destinations) {
  if (rank_count < 2 || destinations.size() > most_recognised_edges) return {};
  const auto own = static_cast<std::size_t>(std::ranges::count(destinations, rank));
  std::vector<std::vector<Axis>> shapes;
  std::vector<Axis> axes;
  append_grids(axes, rank_count, shapes);
  using Key = std::tuple<std::size_t, std::size_t, std::size_t>;
  std::vector<Key> keys;
  for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
    const std::size_t messages = combined_messages(grid_of(shapes[shape], rank, destinations));
    if (messages < destinations.size() - own) keys.emplace_back(messages, shapes[shape].size(), shape);
  }
  std::ranges::sort(keys);
  keys.resize(std::min(keys.size(), most_neighbour_grids));
  std::vector<NeighbourGrid> grids;
  grids.reserve(keys.size());
  for (const auto& [messages, axis_count, shape] : keys)
    grids.push_back(grid_of(std::move(shapes[shape]), rank, destinations));
  return grids;
}

bool has_edges(const NeighbourGrid& grid, Rank rank, std::span<const Rank> sources,
               std::span<const Rank> destinations) {
  std::vector<Rank> from;
  std::vector<Rank> to;
  for (std::size_t edge = 0; edge < grid.edge_count(); ++edge) {
    if (const auto source = grid.source(rank, edge)) from.push_back(*source);
    if (const auto destination = grid.destination(rank, edge)) to.push_back(*destination);
  }
  return are_same(std::move(from), sources) && are_same(std::move(to), destinations);
}

}  // namespace cubefold
