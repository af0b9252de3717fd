#include "neighbour_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cubefold {

NeighbourGrid::NeighbourGrid(Grid ranks, std::vector<Offset> offsets)
    : ranks_(std::move(ranks)), offsets_(std::move(offsets)) {
  const auto axis_count = static_cast<std::size_t>(ranks_.axis_count());
  for (Offset& offset : offsets_) {
    if (offset.size() != axis_count) {
      throw std::invalid_argument(
          fmt::format("NeighbourGrid: an offset has {} numbers for {} axes", offset.size(), axis_count));
    }
    for (int axis = 0; axis < ranks_.axis_count(); ++axis) {
      std::int32_t& steps = offset[static_cast<std::size_t>(axis)];
      steps = shortest(axis, steps);
    }
  }
  if (!offsets_.empty() && rank_count() > std::numeric_limits<std::uint32_t>::max() / offsets_.size()) {
    throw std::invalid_argument(
        fmt::format("NeighbourGrid: {} ranks have more than 2^32 - 1 edges", rank_count()));
  }
  std::ranges::sort(offsets_);
}

/// Returns the steps on an axis that lead to the same coordinate, the shorter way round; upwards if both are equal.
std::int32_t NeighbourGrid::shortest(int axis, std::int64_t steps) const {
  if (ranks_.axes()[static_cast<std::size_t>(axis)].ends == Ends::open)
    return static_cast<std::int32_t>(steps);
  const std::int64_t extent = ranks_.extent(axis);
  const std::int64_t up = (steps % extent + extent) % extent;
  return static_cast<std::int32_t>(2 * up > extent ? up - extent : up);
}

NeighbourGrid::Offset NeighbourGrid::offset_between(Rank from, Rank to) const {
  Offset offset;
  for (int axis = 0; axis < ranks_.axis_count(); ++axis) {
    const auto coordinate = [&](Rank rank) {
      return std::int64_t{ranks_.coordinate(static_cast<GridNode>(label(rank)), axis)};
    };
    offset.push_back(shortest(axis, coordinate(to) - coordinate(from)));
  }
  return offset;
}

std::size_t NeighbourGrid::first_edge(const Offset& offset) const {
  const auto found = std::ranges::lower_bound(offsets_, offset);
  const bool is_there = found != offsets_.end() && *found == offset;
  return is_there ? static_cast<std::size_t>(found - offsets_.begin()) : edge_count();
}

std::optional<Rank> NeighbourGrid::moved(Rank rank, const Offset& offset, int first_axis, int end_axis,
                                         int sign) const {
  std::int64_t number = label(rank);
  for (int axis = first_axis; axis < end_axis; ++axis) {
    const std::int64_t extent = ranks_.extent(axis);
    const std::int64_t from = ranks_.coordinate(static_cast<GridNode>(label(rank)), axis);
    std::int64_t to = from + std::int64_t{sign} * offset[static_cast<std::size_t>(axis)];
    if (ranks_.axes()[static_cast<std::size_t>(axis)].ends == Ends::wrapped)
      to = (to % extent + extent) % extent;
    if (to < 0 || to >= extent) return std::nullopt;
    number += (to - from) * static_cast<std::int64_t>(ranks_.stride(axis));
  }
  return static_cast<Rank>(number);
}

std::optional<Rank> NeighbourGrid::destination(Rank rank, std::size_t edge) const {
  return moved(rank, offsets_[edge], 0, ranks_.axis_count());
}

std::optional<Rank> NeighbourGrid::source(Rank rank, std::size_t edge) const {
  return moved(rank, offsets_[edge], 0, ranks_.axis_count(), -1);
}

}  // namespace cubefold
