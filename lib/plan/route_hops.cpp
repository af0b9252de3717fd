#include "route_hops.hpp"

#include <limits>

namespace cubefold {

namespace {

constexpr std::uint16_t unknown = std::numeric_limits<std::uint16_t>::max();

/// Returns the hops to a node from every vertex on a route to it. Each route is followed as far as a vertex whose hops
/// are known.
std::vector<std::uint16_t> hops_to(const RouteTable& table, std::size_t to) {
  std::vector<std::uint16_t> hops(table.vertex_count(), unknown);
  hops[to] = 0;
  std::vector<std::size_t> followed;
  for (std::size_t from = 0; from < table.node_count(); ++from) {
    std::size_t here = from;
    for (; hops[here] == unknown; here = table.links()[table.next_link(here, to)].to)
      followed.push_back(here);
    auto count = hops[here];
    for (; !followed.empty(); followed.pop_back()) hops[followed.back()] = ++count;
  }
  return hops;
}

}  // namespace

RouteHops::RouteHops(const Grid& grid) : node_count_(grid.node_count()) {
  hops_.reserve(node_count_ * node_count_);
  for (std::size_t to = 0; to < node_count_; ++to) {
    const auto hops = hops_to(*grid.route_table(), to);
    hops_.insert(hops_.end(), hops.begin(), hops.begin() + static_cast<std::ptrdiff_t>(node_count_));
  }
}

}  // namespace cubefold
