#include "routed_phase.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/item_placing.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

/// Calls visit(from, to) for every message of the phase.
template <typename Visit>
void for_each_message(std::size_t node_count, Visit visit) {
  for (std::size_t from = 0; from < node_count; ++from) {
    for (std::size_t to = 0; to < node_count; ++to) {
      if (from != to) visit(from, to);
    }
  }
}

std::vector<Link> route_between(const Grid& grid, std::size_t from, std::size_t to) {
  return route(grid, static_cast<GridNode>(from), static_cast<GridNode>(to), Tie::balanced);
}

/// Numbers what messages occupy: the lanes of all links, then the ports of senders and those of receivers. A link of
/// rate r has r lanes, rounded down. Successive messages on a link take its lanes in turn.
class Lanes {
 public:
  explicit Lanes(const Grid& grid) : grid_(grid), used_(link_index_count(grid)) {
    for (const Link& link : links_of(grid)) {
      first_.push_back(lane_count_);
      lane_count_ += capacity(link);
    }
  }

  std::size_t count() const { return lane_count_ + 2 * grid_.node_count(); }

  Resources next_resources(std::size_t from, std::size_t to, Ports ports) {
    Resources resources;
    for (const Link& link : route_between(grid_, from, to)) {
      const std::size_t index = link_index(grid_, link);
      resources.push_back(first_[index] + used_[index]++ % capacity(link));
    }
    if (ports == Ports::one) {
      resources.push_back(lane_count_ + from);
      resources.push_back(lane_count_ + grid_.node_count() + to);
    }
    return resources;
  }

 private:
  std::size_t capacity(const Link& link) const { return static_cast<std::size_t>(rate_of(grid_, link)); }

  const Grid& grid_;
  std::vector<std::size_t> used_;
  std::vector<std::size_t> first_;
  std::size_t lane_count_ = 0;
};

std::vector<Resources> all_resources(const Grid& grid, Ports ports) {
  Lanes lanes(grid);
  std::vector<Resources> items;
  for_each_message(grid.node_count(), [&](std::size_t from, std::size_t to) {
    items.push_back(lanes.next_resources(from, to, ports));
  });
  return items;
}

/// Returns the looks of the search: some 0.05 s, or what it takes to place all items ten times if that is more. On
/// small networks it is not worth placing them more than 200 times, since many of them have no shorter schedule.
std::size_t looks_for(const std::vector<Resources>& items, std::size_t step_count) {
  constexpr std::size_t usual_looks = 40'000'000;
  const std::size_t once = looks_to_place_once(items, step_count);
  return std::clamp(usual_looks, 10 * once, 200 * once);
}

}  // namespace

bool RoutedPhase::is_quick(const Grid& grid) {
  constexpr double most_work = 3e8;
  double hops = 0;
  auto steps = static_cast<double>(grid.node_count());
  for (const std::uint64_t load : all_to_all_loads(*grid.route_table())) {
    hops += static_cast<double>(load);
    steps = std::max(steps, static_cast<double>(load));
  }
  return hops * steps <= most_work;
}

std::size_t RoutedPhase::least_steps(const Grid& grid, Ports ports) {
  Lanes lanes(grid);
  std::vector<std::size_t> uses(lanes.count());
  for_each_message(grid.node_count(), [&](std::size_t from, std::size_t to) {
    for (const std::size_t resource : lanes.next_resources(from, to, ports)) ++uses[resource];
  });
  return *std::ranges::max_element(uses);
}

RoutedPhase::RoutedPhase(const Grid& grid, Ports ports) : node_count_(grid.node_count()) {
  if (node_count_ == 1) return;
  const auto items = all_resources(grid, ports);
  const std::size_t resource_count = Lanes(grid).count();
  const std::size_t least = least_steps(grid, ports);
  const std::size_t looks = looks_for(items, least);
  for (std::size_t more = least / 10 + 1;; more *= 2) {
    auto placed = place_in_few_steps(items, resource_count, {least + more, least, looks});
    if (!placed) continue;
    step_count_ = placed->step_count;
    steps_.resize(node_count_ * node_count_);
    std::size_t item = 0;
    for_each_message(node_count_, [&](std::size_t from, std::size_t to) {
      steps_[from * node_count_ + to] = placed->steps[item++];
    });
    return;
  }
}

std::vector<std::uint64_t> RoutedPhase::startups_of_steps(const Grid& grid, Ports ports) const {
  std::vector<std::uint64_t> startups(step_count_, 1);
  const auto is_slow = [&](const Link& link) { return rate_of(grid, link) < 2; };
  if (ports == Ports::one || std::ranges::all_of(links_of(grid), is_slow)) return startups;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint64_t> leaving;  // messages by step and link
  auto entering = leaving;
  for_each_message(node_count_, [&](std::size_t from, std::size_t to) {
    const std::uint32_t step = step_of(from, to);
    const auto links = route_between(grid, from, to);
    startups[step] = std::max({startups[step], ++leaving[{step, link_index(grid, links.front())}],
                               ++entering[{step, link_index(grid, links.back())}]});
  });
  return startups;
}

Moves RoutedPhase::moves_of(GridNode node) const {
  const auto own = static_cast<std::size_t>(node);
  Moves moves;
  for (std::size_t other = 0; other < node_count_; ++other) {
    if (other == own) continue;
    moves.sends.push_back({step_of(own, other), static_cast<GridNode>(other)});
    moves.receives.push_back({step_of(other, own), static_cast<GridNode>(other)});
  }
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
