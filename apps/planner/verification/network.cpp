#include "planner/verification/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold::planner {

namespace {

std::vector<std::size_t> coordinates_of(std::size_t node, const Grid& grid) {
  std::vector<std::size_t> result;
  for (const Axis& axis : grid.axes()) {
    result.push_back(node % axis.extent);
    node /= axis.extent;
  }
  return result;
}

}  // namespace

Network::Network(const std::string& grid, const std::string& tie)
    : grid_(parse_grid(grid)),
      table_(grid_.route_table()),
      tie_(tie == "positive" ? Tie::positive : Tie::balanced) {
  constexpr std::size_t most_axes = 64;
  if (grid_.axes().size() > most_axes) {
    throw std::invalid_argument(fmt::format("{} axes are more than {}", grid_.axes().size(), most_axes));
  }
  for (std::size_t axis = 0; axis < grid_.axes().size(); ++axis) {
    if (extent(axis) > 1) long_axes_.push_back(axis);
  }
}

bool Network::goes_up(std::size_t axis, std::size_t from, std::size_t to) const {
  if (!is_wrapped(axis)) return from < to;
  const std::size_t up = (to + extent(axis) - from) % extent(axis);
  const std::size_t down = extent(axis) - up;
  if (up != down) return up < down;
  return tie_ == Tie::positive || from % 2 == 0;
}

std::size_t Network::hops(std::size_t axis, std::size_t from, std::size_t to) const {
  const std::size_t inside = from < to ? to - from : from - to;
  return is_wrapped(axis) ? std::min(inside, extent(axis) - inside) : inside;
}

std::size_t Network::hops(std::size_t from, std::size_t to) const {
  std::size_t sum = 0;
  if (table_ != nullptr) {
    walk(from, to, [&](std::size_t) { ++sum; });
    return sum;
  }
  for (std::size_t axis = 0; axis < grid_.axes().size(); ++axis) {
    sum += hops(axis, from % extent(axis), to % extent(axis));
    from /= extent(axis);
    to /= extent(axis);
  }
  return sum;
}

std::size_t Network::most_hops() const {
  std::size_t sum = 0;
  for (std::size_t axis = 0; axis < grid_.axes().size(); ++axis) {
    sum += is_wrapped(axis) ? extent(axis) / 2 : extent(axis) - 1;
  }
  return sum;
}

std::pair<std::size_t, std::size_t> Network::ends_of(std::size_t link) const {
  if (table_ != nullptr) return {table_->links()[link].from, table_->links()[link].to};
  const std::size_t axis = long_axes_[link / 2 % long_axes_.size()];
  const std::size_t from = link / 2 / long_axes_.size();
  std::size_t stride = 1;
  for (std::size_t before = 0; before < axis; ++before) stride *= extent(before);
  const std::size_t here = from / stride % extent(axis);
  const std::size_t next = (here + (link % 2 == 0 ? 1 : extent(axis) - 1)) % extent(axis);
  return {from, from - here * stride + next * stride};
}

std::vector<std::size_t> Network::hops_from_the_middle() const {
  std::size_t middle = 0;
  std::size_t stride = 1;
  for (const Axis& axis : grid_.axes()) {
    middle += (axis.extent - 1) / 2 * stride;
    stride *= axis.extent;
  }
  std::vector<std::size_t> result;
  for (std::size_t to = 0; to < grid_.node_count(); ++to) result.push_back(hops(middle, to));
  std::ranges::sort(result);
  return result;
}

std::vector<std::size_t> Network::link_counts() const {
  std::vector<std::size_t> result;
  if (table_ != nullptr) {
    result.resize(grid_.node_count());
    for (const TableLink& link : table_->links()) ++result[link.from];
    return result;
  }
  for (std::size_t from = 0; from < grid_.node_count(); ++from) {
    const auto here = coordinates_of(from, grid_);
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < here.size(); ++axis) {
      if (here[axis] + 1 < extent(axis) || is_wrapped(axis)) ++count;
      if (here[axis] > 0 || is_wrapped(axis)) ++count;
    }
    result.push_back(count);
  }
  return result;
}

}  // namespace cubefold::planner
