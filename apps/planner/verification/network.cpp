#include "planner/verification/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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
  if (table_ == nullptr) return;
  has_rates_ = std::ranges::any_of(table_->links(), [](const TableLink& link) { return link.rate != 1; });
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
  if (table_ != nullptr) return table_->vertex_count() - 1;
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

/// Returns the hops to a node from every vertex on a route to it, and `no_route` for other vertices. Each route is
/// followed as far as a vertex whose hops are known, so that long networks take no longer than others.
std::vector<std::uint32_t> Network::hops_to(std::size_t to) const {
  std::vector<std::uint32_t> hops(table_->vertex_count(), no_route);
  hops[to] = 0;
  for (std::size_t from = 0; from < grid_.node_count(); ++from) {
    std::vector<std::size_t> path;
    std::size_t here = from;
    for (; hops[here] == no_route; here = table_->links()[table_->next_link(here, to)].to)
      path.push_back(here);
    std::uint32_t count = hops[here];
    for (; !path.empty(); path.pop_back()) hops[path.back()] = ++count;
  }
  return hops;
}

std::vector<std::size_t> Network::least_hops_by_table() const {
  const std::size_t node_count = grid_.node_count();
  std::vector<std::vector<std::uint32_t>> hops;
  for (std::size_t to = 0; to < node_count; ++to) hops.push_back(hops_to(to));
  std::vector<std::size_t> least(node_count, most_hops());
  for (std::size_t node = 0; node < node_count; ++node) {
    std::vector<std::size_t> here;
    for (std::size_t other = 0; other < node_count; ++other)
      here.push_back(std::min(hops[node][other], hops[other][node]));
    std::ranges::sort(here);
    for (std::size_t k = 0; k < node_count; ++k) least[k] = std::min(least[k], here[k]);
  }
  return least;
}

std::vector<std::size_t> Network::least_hops() const {
  return table_ != nullptr ? least_hops_by_table() : hops_from_the_middle();
}

std::vector<bool> Network::links_on_routes() const {
  std::vector<bool> are_used(link_numbers());
  for (std::size_t to = 0; to < grid_.node_count(); ++to) {
    const auto hops = hops_to(to);
    for (std::size_t here = 0; here < hops.size(); ++here)
      if (here != to && hops[here] != no_route) are_used[table_->next_link(here, to)] = true;
  }
  return are_used;
}

Network::Rates Network::rates() const {
  const std::size_t node_count = grid_.node_count();
  Rates sums{std::vector<std::uint64_t>(node_count), std::vector<std::uint64_t>(node_count)};
  if (table_ == nullptr) {
    const auto counts = link_counts();
    sums.out.assign(counts.begin(), counts.end());
    sums.in = sums.out;
    sums.all = std::accumulate(sums.out.begin(), sums.out.end(), std::uint64_t{0});
    return sums;
  }
  const auto are_used = links_on_routes();
  sums.fastest = 0;
  for (std::size_t link = 0; link < are_used.size(); ++link) {
    if (!are_used[link]) continue;
    sums.fastest = std::max(sums.fastest, rate(link));
    const auto [from, to] = ends_of(link);
    if (from < node_count) sums.out[from] += rate(link);
    if (to < node_count) sums.in[to] += rate(link);
    sums.all += rate(link);
  }
  return sums;
}

std::uint64_t Network::rate(std::size_t link) const {
  if (!has_rates_) return 1;
  return static_cast<std::uint64_t>(
      std::llround(table_->links()[link].rate * static_cast<double>(rate_unit())));
}

Network Network::with_balanced_ties() const {
  Network other = *this;
  other.tie_ = Tie::balanced;
  return other;
}

std::vector<std::size_t> Network::link_counts() const {
  std::vector<std::size_t> result;
  if (table_ != nullptr) {
    result.resize(grid_.node_count());
    for (const TableLink& link : table_->links())
      if (link.from < result.size()) ++result[link.from];
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
