#include "wormhole_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "wormhole.hpp"

namespace cubefold {

namespace {

constexpr auto not_known = std::numeric_limits<std::uint64_t>::max();

}  // namespace

WormholeNetwork::WormholeNetwork(const Grid& grid, Router router, int port_count)
    : grid_(grid),
      router_(std::move(router)),
      port_count_(static_cast<std::size_t>(port_count)),
      first_injection_(link_index_count(grid)),
      first_ejection_(first_injection_ + grid.node_count() * port_count_),
      free_from_(first_ejection_ + grid.node_count() * port_count_),
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
  ++cycle_;
  moved_.clear();
  take_channels();
  inject();
  if (moved_.empty() && arrivals_.empty() && under_way_count_ > 0) {
    throw std::runtime_error(
        fmt::format("wormhole network: deadlock, {} messages wait for each other", under_way_count_));
  }
  move_headers();

  arrived_.clear();
  for (; !arrivals_.empty() && arrivals_.top().first == cycle_; arrivals_.pop()) {
    arrived_.push_back(arrivals_.top().second);
  }
  under_way_count_ -= arrived_.size();
  return arrived_;
}

bool WormholeNetwork::take(Channel channel) {
  if (free_from_[channel] > cycle_) return false;
  free_from_[channel] = not_known;
  return true;
}

bool WormholeNetwork::takes_a_channel(Worm& worm) {
  for (const NextHop& choice : worm.choices) {
    if (!take(choice.channel)) continue;
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
      if (!take(channel)) continue;
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
  worm.channels.assign(1, injection);
  ++under_way_count_;
  return index;
}

void WormholeNetwork::move_headers() {
  std::sort(moved_.begin(), moved_.end(),
            [&](Index a, Index b) { return worms_[a].number < worms_[b].number; });
  for (const Index index : moved_) {
    Worm& worm = worms_[index];
    if (worm.channels.back() >= first_ejection_) {
      reach_receiver(worm);
      unused_.push_back(index);
    } else {
      leave_channel_behind(worm);
      set_choices(worm);
      waiting_.push_back(index);
    }
  }
}

void WormholeNetwork::leave_channel_behind(const Worm& worm) {
  const std::size_t length = worm.channels.size();
  const std::size_t flit_count = worm.message.flit_count;
  if (length > flit_count) free_from_[worm.channels[length - flit_count - 1]] = cycle_ + 1;
}

/// The last flit is flit_count - 1 channels behind the header. The channels behind the last flit are free already.
void WormholeNetwork::reach_receiver(const Worm& worm) {
  const std::size_t length = worm.channels.size();
  const std::size_t flit_count = worm.message.flit_count;
  const std::size_t behind = length > flit_count ? length - flit_count - 1 : 0;
  for (std::size_t i = behind; i + 1 < length; ++i) {
    free_from_[worm.channels[i]] = cycle_ + flit_count + i + 2 - length;
  }
  free_from_[worm.channels.back()] = cycle_ + flit_count;
  arrivals_.emplace(cycle_ + flit_count - 1, worm.number);
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

std::vector<std::uint64_t> arrival_cycles(const Grid& grid, const Router& router,
                                          std::span<const WormholeMessage> messages, int port_count) {
  WormholeNetwork network(grid, router, port_count);
  for (std::size_t number = 0; number < messages.size(); ++number) {
    network.send(number, messages[number]);
  }
  std::vector<std::uint64_t> cycles(messages.size());
  for (std::uint64_t cycle = 1; !network.is_idle(); ++cycle) {
    for (const auto number : network.run_cycle()) cycles[number] = cycle;
  }
  return cycles;
}

}  // namespace cubefold
