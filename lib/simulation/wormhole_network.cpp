#include "wormhole_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cubefold {

WormholeNetwork::WormholeNetwork(const Grid& grid, Router router, int port_count)
    : grid_(grid),
      router_(std::move(router)),
      port_count_(static_cast<std::size_t>(port_count)),
      first_injection_(link_index_count(grid)),
      first_ejection_(first_injection_ + grid.node_count() * port_count_),
      is_taken_(first_ejection_ + grid.node_count() * port_count_),
      queues_(grid.node_count()) {
  if (port_count < 1) {
    throw std::invalid_argument(fmt::format("wormhole network: {} ports are too few", port_count));
  }
}

WormholeNetwork::Channel WormholeNetwork::injection(GridNode node, std::size_t port) const {
  return first_injection_ + static_cast<std::size_t>(node) * port_count_ + port;
}

WormholeNetwork::Channel WormholeNetwork::ejection(GridNode node, std::size_t port) const {
  return first_ejection_ + static_cast<std::size_t>(node) * port_count_ + port;
}

void WormholeNetwork::require_node(GridNode node) const {
  const auto index = static_cast<std::uint32_t>(node);
  if (index >= grid_.node_count()) {
    throw std::invalid_argument(
        fmt::format("wormhole network: node {} is not below {}, the number of nodes of {}", index,
                    grid_.node_count(), to_string(grid_)));
  }
}

void WormholeNetwork::send(std::size_t number, const WormholeMessage& message) {
  require_node(message.from);
  require_node(message.to);
  if (message.flit_count == 0) {
    throw std::invalid_argument("wormhole network: a message of 0 flits has no header");
  }
  if (message.from == message.to) return;
  auto& queue = queues_[static_cast<std::size_t>(message.from)];
  if (queue.empty()) senders_.push_back(message.from);
  queue.push_back({number, message});
  ++queued_count_;
}

const std::vector<std::size_t>& WormholeNetwork::run_cycle() {
  moved_.clear();
  arrived_.clear();
  released_.clear();
  take_channels();
  inject();
  if (moved_.empty() && draining_.empty() && under_way_count_ > 0) {
    throw std::runtime_error(
        fmt::format("wormhole network: deadlock, {} messages wait for each other", under_way_count_));
  }
  for (const Index index : draining_) advance(worms_[index]);
  for (const Index index : moved_) advance(worms_[index]);
  arrive_at_routers();
  end_messages();
  for (const Channel channel : released_) is_taken_[channel] = 0;
  return arrived_;
}

bool WormholeNetwork::takes_a_channel(Worm& worm) {
  for (const Choice& choice : worm.choices) {
    if (is_taken_[choice.channel] != 0) continue;
    is_taken_[choice.channel] = 1;
    worm.channels.push_back(choice.channel);
    worm.here = choice.end;
    return true;
  }
  return false;
}

void WormholeNetwork::take_channels() {
  auto still_waiting = waiting_.begin();
  for (const Index index : waiting_) {
    if (takes_a_channel(worms_[index])) {
      moved_.push_back(index);
    } else {
      *still_waiting++ = index;
    }
  }
  waiting_.erase(still_waiting, waiting_.end());
}

void WormholeNetwork::inject() {
  std::erase_if(senders_, [&](GridNode node) {
    auto& queue = queues_[static_cast<std::size_t>(node)];
    for (std::size_t port = 0; port < port_count_ && !queue.empty(); ++port) {
      const Channel channel = injection(node, port);
      if (is_taken_[channel] != 0) continue;
      is_taken_[channel] = 1;
      moved_.push_back(new_worm(queue.front(), channel));
      queue.pop_front();
      --queued_count_;
    }
    return queue.empty();
  });
}

WormholeNetwork::Index WormholeNetwork::new_worm(const Queued& queued, Channel injection) {
  if (unused_.empty()) {
    unused_.push_back(worms_.size());
    worms_.emplace_back();
  }
  const Index index = unused_.back();
  unused_.pop_back();
  Worm& worm = worms_[index];
  worm.number = queued.number;
  worm.message = queued.message;
  worm.here = queued.message.from;
  worm.advanced = 0;
  worm.channels.assign(1, injection);
  ++under_way_count_;
  return index;
}

void WormholeNetwork::advance(Worm& worm) {
  ++worm.advanced;
  const std::uint64_t flit_count = worm.message.flit_count;
  if (worm.advanced > flit_count) released_.push_back(worm.channels[worm.advanced - flit_count - 1]);
}

void WormholeNetwork::arrive_at_routers() {
  std::sort(moved_.begin(), moved_.end(),
            [&](Index a, Index b) { return worms_[a].number < worms_[b].number; });
  for (const Index index : moved_) {
    Worm& worm = worms_[index];
    if (worm.channels.back() >= first_ejection_) {
      draining_.push_back(index);
    } else {
      set_choices(worm);
      waiting_.push_back(index);
    }
  }
}

void WormholeNetwork::set_choices(Worm& worm) {
  const GridNode to = worm.message.to;
  worm.choices.clear();
  if (worm.here == to) {
    for (std::size_t port = 0; port < port_count_; ++port) worm.choices.push_back({ejection(to, port), to});
    return;
  }
  for (const Link& link : router_(worm.here, to)) {
    worm.choices.push_back({link_index(grid_, link), end_of(grid_, link)});
  }
  if (worm.choices.empty()) {
    throw std::invalid_argument(fmt::format("wormhole network: the router gives no way from node {} to {}",
                                            static_cast<std::uint32_t>(worm.here),
                                            static_cast<std::uint32_t>(to)));
  }
}

void WormholeNetwork::end_messages() {
  std::erase_if(draining_, [&](Index index) {
    const Worm& worm = worms_[index];
    if (worm.advanced < worm.channels.size() + worm.message.flit_count - 1) return false;
    released_.push_back(worm.channels.back());
    arrived_.push_back(worm.number);
    unused_.push_back(index);
    --under_way_count_;
    return true;
  });
}

}  // namespace cubefold
