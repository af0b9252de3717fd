#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "colouring.hpp"
#include "item_placing.hpp"
#include "schedule_segments.hpp"

namespace cubefold {

namespace {

constexpr int round_limit = 16;

/// The work of the search for fewer steps: the looks of ItemPlacing for all step counts together, some 5 ms. A look
/// at each resource of each step has to be among them.
constexpr std::size_t most_looks = 6'000'000;

/// The most messages whose steps are also searched for as colours, and the limits of this search: some 0.3 s if there
/// are no such steps. Branch and bound is short because it finds a colouring soon or hardly ever.
constexpr std::size_t most_coloured_messages = 384;
constexpr std::size_t most_branches = 2000;
constexpr TabuLimits tabu_limits{8, 20'000};

/// Returns what a message occupies for a step: its links, and its ports if a node has only one.
Resources resources_of(const Placement& placement, Rank from, Rank to, Ports ports, Tie tie) {
  const Grid& grid = placement.grid();
  const auto sender = placement.node_of(from);
  const auto receiver = placement.node_of(to);
  Resources resources;
  for (const Link& link : route(grid, sender, receiver, tie)) resources.push_back(link_index(grid, link));
  if (ports == Ports::one) {
    resources.push_back(link_index_count(grid) + static_cast<std::size_t>(sender));
    resources.push_back(link_index_count(grid) + grid.node_count() + static_cast<std::size_t>(receiver));
  }
  return resources;
}

std::vector<Resources> all_resources(const Placement& placement, Task task, Ports ports, Tie tie) {
  std::vector<Resources> resources;
  for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
    const auto from = static_cast<Rank>(r);
    for (int k = task.first; k < task.first + task.count; ++k) {
      resources.push_back(resources_of(placement, from, neighbour(from, k), ports, tie));
    }
  }
  return resources;
}

class FirstFit {
 public:
  explicit FirstFit(std::size_t resource_count) : resource_count_(resource_count) {}

  std::uint32_t step_for(const Resources& resources) {
    std::uint32_t step = 0;
    while (step < busy_.size() && !is_free(step, resources)) ++step;
    if (step == busy_.size()) busy_.emplace_back(resource_count_);
    for (const auto resource : resources) busy_[step][resource] = true;
    return step;
  }

  std::uint32_t step_count() const { return static_cast<std::uint32_t>(busy_.size()); }

 private:
  bool is_free(std::uint32_t step, const Resources& resources) const {
    return std::none_of(resources.begin(), resources.end(), [&](std::size_t r) { return busy_[step][r]; });
  }

  std::size_t resource_count_;
  std::vector<std::vector<bool>> busy_;
};

GreedySteps in_order(const std::vector<Resources>& resources, const std::vector<std::size_t>& order,
                     std::size_t resource_count) {
  FirstFit fit(resource_count);
  GreedySteps steps{std::vector<std::uint32_t>(resources.size()), 0};
  for (const auto message : order) {
    steps.step_of_message[message] = fit.step_for(resources[message]);
  }
  steps.step_count = fit.step_count();
  return steps;
}

/// Returns for each message the others that share a resource with it.
ConflictGraph conflict_graph(const std::vector<Resources>& resources, std::size_t resource_count) {
  std::vector<std::vector<std::uint32_t>> users(resource_count);
  for (std::uint32_t message = 0; message < resources.size(); ++message)
    for (const auto resource : resources[message]) users[resource].push_back(message);
  ConflictGraph graph(resources.size());
  for (std::uint32_t message = 0; message < resources.size(); ++message) {
    auto& others = graph[message];
    for (const auto resource : resources[message])
      others.insert(others.end(), users[resource].begin(), users[resource].end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    others.erase(std::find(others.begin(), others.end(), message));
  }
  return graph;
}

/// Searches for one step fewer each time until `bound` is reached or the limit of work.
void search_by_placing(GreedySteps& steps, const std::vector<Resources>& resources,
                       std::size_t resource_count, std::uint64_t bound) {
  std::size_t looks_left = most_looks;
  const auto fits = [&] {
    return (steps.step_count + ItemPlacing::steps_at_once) * resource_count <= most_looks;
  };
  while (steps.step_count > bound && fits()) {
    const std::uint32_t fewer = steps.step_count - 1;
    ItemPlacing placing(resources, resource_count, fewer);
    if (!placing.place_all(looks_left)) return;
    steps = {placing.steps(), fewer};
  }
}

/// Does the same with steps as the colours of a graph, whose vertices are the messages.
void search_by_colouring(GreedySteps& steps, const std::vector<Resources>& resources,
                         std::size_t resource_count, std::uint64_t bound) {
  if (steps.step_count <= bound || resources.size() > most_coloured_messages) return;
  const ConflictGraph graph = conflict_graph(resources, resource_count);
  while (steps.step_count > bound) {
    const std::uint32_t fewer = steps.step_count - 1;
    auto [colouring, is_proven] = colour_exactly(graph, fewer, most_branches);
    if (!colouring && !is_proven) colouring = colour_by_tabu(graph, fewer, tabu_limits);
    if (!colouring) return;
    steps = {std::move(*colouring), fewer};
  }
}

}  // namespace

// Whole steps, taken in any order, are refilled into as many steps or fewer, so no round makes the result worse.
GreedySteps greedy_steps(const Placement& placement, Task task, Ports ports, Tie tie) {
  const auto resources = all_resources(placement, task, ports, tie);
  const auto resource_count = link_index_count(placement.grid()) + 2 * placement.rank_count();
  const auto bound = task_bound(placement, task, ports, tie);
  std::vector<std::size_t> order(resources.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return resources[a].size() > resources[b].size(); });
  auto steps = in_order(resources, order, resource_count);
  for (int round = 0; round < round_limit && steps.step_count > bound; ++round) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return steps.step_of_message[a] > steps.step_of_message[b]; });
    steps = in_order(resources, order, resource_count);
  }
  search_by_placing(steps, resources, resource_count, bound);
  search_by_colouring(steps, resources, resource_count, bound);
  return steps;
}

}  // namespace cubefold
