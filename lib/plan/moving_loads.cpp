#include "moving_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "link_rates.hpp"
#include "topology/route_segments.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

/// Calls visit(link_index) for every link of route(), without a list of them.
template <typename Visit>
void walk(const Grid& grid, GridNode from, GridNode to, Tie tie, Visit visit) {
  if (const RouteTable* table = grid.route_table()) {
    return for_each_link_of_route(*table, static_cast<std::size_t>(from), static_cast<std::size_t>(to),
                                  visit);
  }
  const std::size_t axes = grid.axes().size();
  for_each_segment(grid, from, to, tie,
                   [&](int axis, GridNode here, std::uint32_t start, std::int64_t steps) {
                     const std::size_t extent = grid.extent(axis);
                     const std::size_t stride = grid.stride(axis);
                     const std::size_t line = static_cast<std::size_t>(here) - start * stride;
                     const std::size_t direction = steps < 0 ? 1 : 0;
                     std::size_t at = start;
                     for (auto left = std::abs(steps); left > 0; --left) {
                       visit(((line + at * stride) * axes + static_cast<std::size_t>(axis)) * 2 + direction);
                       if (direction == 0) {
                         at = at + 1 == extent ? 0 : at + 1;
                       } else {
                         at = at == 0 ? extent - 1 : at - 1;
                       }
                     }
                   });
}

/// The number of links in a block, whose largest load is kept. Sets of links are padded to whole blocks.
constexpr std::size_t block_links = 32;

std::size_t whole_blocks(std::size_t links) {
  return (links + block_links - 1) / block_links * block_links;
}

}  // namespace

MovingLoads::MovingLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie)
    : grid_(grid),
      objective_(objective),
      tie_(tie),
      rank_of_node_(grid.node_count()),
      links_of_set_(objective == MappingObjective::hop_bytes ? 0 : whole_blocks(link_index_count(grid))) {
  list_messages(phases);
  if (grid.route_table() == nullptr) return;
  list_rates();
  if (links_of_set_ == 0) route_hops_.emplace(grid);
}

void MovingLoads::list_rates() {
  const auto& links = grid_.route_table()->links();
  if (links_of_set_ == 0 || LinkRates(grid_).are_all_one()) return;
  slowness_.assign(links_of_set_, 1);
  for (std::size_t link = 0; link < links.size(); ++link) slowness_[link] = 1 / links[link].rate;
}

double MovingLoads::hops_between(GridNode from, GridNode to) const {
  return route_hops_ ? (*route_hops_)(from, to) : distance_hops(grid_, from, to);
}

void MovingLoads::list_messages(std::span<const Phase> phases) {
  const bool one_set = objective_ != MappingObjective::busiest_links;
  first_.resize(grid_.node_count() + 1);
  for (const Phase& phase : phases) {
    if (!one_set || weights_.empty()) weights_.push_back(one_set ? 1 : phase.weight);
    for (const Traffic& sent : phase.traffic) {
      const double amount = sent.messages * (one_set ? phase.weight : 1);
      messages_.push_back({label(sent.from), label(sent.to), amount, weights_.size() - 1});
      ++first_[label(sent.from) + 1];
      ++first_[label(sent.to) + 1];
    }
  }
  for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
  messages_of_rank_.resize(first_.back());
  partners_.resize(first_.back());
  auto next = first_;
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const auto [from, to] = std::pair(messages_[m].from, messages_[m].to);
    for (const auto& [rank, partner] : {std::pair(from, to), std::pair(to, from)}) {
      messages_of_rank_[next[rank]] = m;
      partners_[next[rank]++] = partner;
    }
  }
}

void MovingLoads::move_all_to(std::span<const GridNode> nodes) {
  node_of_rank_.assign(nodes.begin(), nodes.end());
  for (std::size_t r = 0; r < nodes.size(); ++r)
    rank_of_node_[static_cast<std::size_t>(nodes[r])] = static_cast<std::uint32_t>(r);
  loads_.assign(weights_.size() * links_of_set_, 0);
  busiest_.assign(loads_.size() / block_links, 0);
  busiest_of_set_.assign(weights_.size(), 0);
  is_stale_.assign(busiest_.size(), false);
  stale_.clear();
  totals_ = {};
  for (const WeightedMessage& message : messages_) add(message, message.amount);
  find_value();
  old_loads_.clear();
}

void MovingLoads::put(std::size_t place, double load) {
  const std::size_t block = place / block_links;
  const double new_time = time(place, load);
  if (new_time >= busiest_[block]) {
    busiest_[block] = new_time;
  } else if (time(place) == busiest_[block] && !is_stale_[block]) {
    is_stale_[block] = true;
    stale_.push_back(block);
  }
  loads_[place] = load;
}

void MovingLoads::add_to_link(const WeightedMessage& message, std::size_t link, double amount) {
  const std::size_t place = message.set * links_of_set_ + link;
  const double load = loads_[place];
  old_loads_.push_back({place, load});
  totals_.squares += weights_[message.set] * amount * (2 * load + amount);
  put(place, load + amount);
}

void MovingLoads::add(const WeightedMessage& message, double amount) {
  const GridNode from = node_of_rank_[message.from];
  const GridNode to = node_of_rank_[message.to];
  double hops = 0;
  if (links_of_set_ == 0) {
    hops = hops_between(from, to);
  } else {
    walk(grid_, from, to, tie_, [&](std::size_t link) {
      add_to_link(message, link, amount);
      ++hops;
    });
    work_ += 6 * hops;
  }
  totals_.hops += weights_[message.set] * amount * hops;
  work_ += 10 + 6 * static_cast<double>(grid_.axes().size());
}

void MovingLoads::change_messages_of(std::uint32_t a, std::uint32_t b, double sign) {
  for (const std::uint32_t rank : {a, b}) {
    for (std::size_t i = first_[rank]; i < first_[rank + 1]; ++i) {
      // Messages between the two ranks are on both lists.
      if (rank == b && partners_[i] == a) continue;
      const WeightedMessage& message = messages_[messages_of_rank_[i]];
      add(message, sign * message.amount);
    }
  }
}

void MovingLoads::exchange(std::uint32_t a, std::uint32_t b) {
  std::swap(node_of_rank_[a], node_of_rank_[b]);
  std::swap(rank_of_node_[static_cast<std::size_t>(node_of_rank_[a])],
            rank_of_node_[static_cast<std::size_t>(node_of_rank_[b])]);
}

void MovingLoads::swap(std::uint32_t a, std::uint32_t b) {
  work_ += 20;
  swapped_ = {a, b};
  old_loads_.clear();
  old_totals_ = totals_;
  old_value_ = value_;
  if (a == b) return;
  change_messages_of(a, b, -1);
  exchange(a, b);
  change_messages_of(a, b, 1);
  find_value();
}

void MovingLoads::undo() {
  const auto [a, b] = swapped_;
  if (a != b) exchange(a, b);
  for (auto old_load = old_loads_.rbegin(); old_load != old_loads_.rend(); ++old_load)
    put(old_load->place, old_load->load);
  work_ += static_cast<double>(old_loads_.size());
  old_loads_.clear();
  totals_ = old_totals_;
  value_ = old_value_;
}

void MovingLoads::find_value() {
  if (objective_ == MappingObjective::hop_bytes) {
    value_ = {totals_.hops, 0};
    return;
  }
  const std::size_t blocks_of_set = links_of_set_ / block_links;
  for (const std::size_t block : stale_) {
    busiest_[block] = 0;
    for (std::size_t place = block * block_links; place < (block + 1) * block_links; ++place)
      busiest_[block] = std::max(busiest_[block], time(place));
    is_stale_[block] = false;
  }
  work_ += static_cast<double>(stale_.size() * block_links + busiest_.size());
  stale_.clear();
  value_ = {0, totals_.squares};
  for (std::size_t s = 0; s < weights_.size(); ++s) {
    const auto begin = busiest_.begin() + static_cast<std::ptrdiff_t>(s * blocks_of_set);
    const auto end = begin + static_cast<std::ptrdiff_t>(blocks_of_set);
    busiest_of_set_[s] = begin == end ? 0 : *std::max_element(begin, end);
    value_.objective += weights_[s] * busiest_of_set_[s];
  }
}

std::vector<std::uint32_t> MovingLoads::busy_ranks() {
  find_value();
  std::vector<std::uint32_t> ranks;
  for (const WeightedMessage& message : messages_) {
    bool is_busy = links_of_set_ == 0;
    const double busy = busiest_of_set_[message.set] - tolerance_of(busiest_of_set_[message.set]);
    if (!is_busy) {
      walk(grid_, node_of_rank_[message.from], node_of_rank_[message.to], tie_,
           [&](std::size_t link) { is_busy = is_busy || time(message.set * links_of_set_ + link) >= busy; });
    }
    if (is_busy) ranks.insert(ranks.end(), {message.from, message.to});
  }
  work_ += 20 * static_cast<double>(messages_.size());
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace cubefold
