#include "channel_routes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cubefold/topology/route_table.hpp"

namespace cubefold {

namespace {

/// Returns whether a packet to the node that goes on by this link takes the wrap link of the axis.
bool takes_wrap_link(const Grid& grid, const Link& link, std::size_t to) {
  const auto here = grid.coordinate(link.from, link.axis);
  const auto end = grid.coordinate(static_cast<GridNode>(to), link.axis);
  return link.direction == Direction::positive ? end < here : end > here;
}

bool has_odd_sum(const Grid& grid, std::size_t node) {
  const auto coordinates = grid.coordinates(static_cast<GridNode>(node));
  return std::accumulate(coordinates.begin(), coordinates.end(), 0U) % 2 == 1;
}

}  // namespace

ChannelRoutes::ChannelRoutes(const Grid& grid, Tie tie)
    : node_count_(grid.node_count()), vertex_count_(node_count_), ends_(link_index_count(grid)) {
  if (const RouteTable* table = grid.route_table()) {
    vertex_count_ = table->vertex_count();
    use_table(*table);
  } else {
    use_axes(grid, tie);
  }
}

void ChannelRoutes::use_axes(const Grid& grid, Tie tie) {
  order_.resize(ends_.size());
  wraps_.resize(ends_.size());
  for (const Link& link : links_of(grid)) {
    const std::size_t index = link_index(grid, link);
    const std::uint32_t last = grid.extent(link.axis) - 1;
    const std::uint32_t edge = link.direction == Direction::positive ? last : 0;
    ends_[index] = static_cast<std::uint32_t>(cubefold::end_of(grid, link));
    order_[index] = static_cast<std::uint32_t>(link.axis);
    if (!grid.has_wrap_link(link.axis) || grid.coordinate(link.from, link.axis) != edge) continue;
    wraps_[index] = 1;
    channel_count_ = 2;
  }
  next_.assign(vertex_count_ * node_count_, no_link);
  for (std::size_t here = 0; here < node_count_; ++here) {
    for (std::size_t to = 0; to < node_count_; ++to) {
      if (here == to) continue;
      const auto link = next_link(grid, static_cast<GridNode>(here), static_cast<GridNode>(to), tie);
      const auto index = static_cast<std::uint32_t>(link_index(grid, *link));
      const bool is_in_1 = grid.has_wrap_link(link->axis) &&
                           (takes_wrap_link(grid, *link, to) ? wraps_[index] == 1 : has_odd_sum(grid, to));
      next_[here * node_count_ + to] = index | (is_in_1 ? starts_in_1 : 0);
    }
  }
}

void ChannelRoutes::use_table(const RouteTable& table) {
  for (std::size_t link = 0; link < ends_.size(); ++link) ends_[link] = table.links()[link].to;
  next_.assign(vertex_count_ * node_count_, no_link);
  for (std::size_t here = 0; here < vertex_count_; ++here) {
    for (std::size_t to = 0; to < node_count_; ++to) {
      if (here != to && table.has_next_link(here, to))
        next_[here * node_count_ + to] = static_cast<std::uint32_t>(table.next_link(here, to));
    }
  }
  order_links(table);
  for (std::uint32_t from = 0; from < node_count_; ++from) {
    for (std::uint32_t to = 0; to < node_count_; ++to) {
      if (from == to) continue;
      std::uint8_t channel = 0;
      for (std::uint32_t link = next(from, to); end_of(link) != to; link = next(end_of(link), to))
        channel = next_channel(link, channel, to);
      channel_count_ = std::max(channel_count_, channel + 1U);
    }
  }
}

/// Orders the links by a search in depth among those that follow each other on some route, last one first: a route
/// descends only where it closes a cycle of links.
void ChannelRoutes::order_links(const RouteTable& table) {
  std::vector<std::vector<std::uint32_t>> following(ends_.size());
  for (std::uint32_t to = 0; to < node_count_; ++to) {
    std::vector<bool> is_passed(vertex_count_);
    for (std::uint32_t from = 0; from < node_count_; ++from) {
      for (std::uint32_t here = from; here != to && !is_passed[here];) {
        is_passed[here] = true;
        const std::uint32_t link = next(here, to);
        here = end_of(link);
        if (here != to) following[link].push_back(next(here, to));
      }
    }
  }
  for (auto& links : following) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
  order_.resize(table.links().size());
  auto place = static_cast<std::uint32_t>(ends_.size());
  std::vector<bool> is_found(ends_.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // links with the number of followers looked at
  for (std::uint32_t first = 0; first < ends_.size(); ++first) {
    if (is_found[first]) continue;
    is_found[first] = true;
    path.emplace_back(first, 0);
    while (!path.empty()) {
      const std::uint32_t link = path.back().first;
      if (path.back().second == following[link].size()) {
        order_[link] = --place;
        path.pop_back();
        continue;
      }
      const std::uint32_t follower = following[link][path.back().second++];
      if (is_found[follower]) continue;
      is_found[follower] = true;
      path.emplace_back(follower, 0);
    }
  }
}

}  // namespace cubefold
