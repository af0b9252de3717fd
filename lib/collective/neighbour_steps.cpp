#include "neighbour_steps.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "cubefold/topology/route.hpp"
#include "exchange/step_load.hpp"
#include "schedule/collective.hpp"

namespace cubefold {

namespace {

/// Returns the distances other than 0 that edges have on an axis, in ascending order.
std::set<std::int32_t> distances_on(const NeighbourGrid& edges, int axis) {
  std::set<std::int32_t> distances;
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge)
    distances.insert(edges.offset(edge)[static_cast<std::size_t>(axis)]);
  distances.erase(0);
  return distances;
}

Block chunk_of(const NeighbourGrid& edges, Rank rank, std::size_t edge) {
  return numbered_chunk(static_cast<std::uint32_t>(label(rank) * edges.edge_count() + edge));
}

/// Returns the rank whose block of an edge is on `rank` before the phase of an axis, or nothing.
std::optional<Rank> origin_of(const NeighbourGrid& edges, Rank rank, std::size_t edge, int axis) {
  const auto origin = edges.moved(rank, edges.offset(edge), 0, axis, -1);
  if (!origin || !edges.destination(*origin, edge)) return std::nullopt;
  return origin;
}

/// Returns the message of a rank for the rank at a distance on an axis. It has no blocks if there is nothing to send.
Message message_on(const NeighbourGrid& edges, Rank rank, int axis, std::int32_t distance) {
  Message message{rank, rank, {}};
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (edges.offset(edge)[static_cast<std::size_t>(axis)] != distance) continue;
    const auto origin = origin_of(edges, rank, edge, axis);
    if (!origin) continue;
    message.to = *edges.moved(rank, edges.offset(edge), axis, axis + 1);
    message.blocks.push_back(chunk_of(edges, *origin, edge));
  }
  return message;
}

/// Calls add(distance) in each step, of one axis after the other.
template <typename Add>
Schedule steps_by_axis(const NeighbourGrid& edges, Ports ports, Add add) {
  Schedule schedule{edges.rank_count(), {}};
  for (int axis = 0; axis < edges.ranks().axis_count(); ++axis) {
    const auto distances = distances_on(edges, axis);
    bool is_new = true;
    for (const std::int32_t distance : distances) {
      if (is_new || ports == Ports::one) schedule.steps.emplace_back();
      is_new = false;
      add(schedule.steps.back(), axis, distance);
    }
  }
  return schedule;
}

void add_unless_empty(Step& step, Message message) {
  if (!message.blocks.empty()) step.push_back(std::move(message));
}

/// The ports and links that the messages of each step use.
class UsedResources {
 public:
  UsedResources(const Placement& placement, const NetworkRules& network)
      : placement_(placement), network_(network) {}

  /// Returns the first step in which a message shares no port and no link, and takes them.
  std::size_t first_step(Rank from_rank, Rank to_rank) {
    const Grid& grid = placement_.grid();
    const GridNode from = placement_.node_of(from_rank);
    const GridNode to = placement_.node_of(to_rank);
    std::vector<std::size_t> resources;
    for (const Link& link : route(grid, from, to, network_.tie)) resources.push_back(link_index(grid, link));
    if (network_.ports == Ports::one) {
      const std::size_t first_port = link_index_count(grid);
      resources.push_back(first_port + static_cast<std::size_t>(from));
      resources.push_back(first_port + grid.node_count() + static_cast<std::size_t>(to));
    }
    const auto is_free = [&](const std::vector<bool>& used) {
      return std::ranges::none_of(resources, [&](std::size_t resource) { return used[resource]; });
    };
    const auto found = std::ranges::find_if(used_, is_free);
    const auto step = static_cast<std::size_t>(found - used_.begin());
    if (found == used_.end()) used_.emplace_back(link_index_count(grid) + 2 * grid.node_count());
    for (const std::size_t resource : resources) used_[step][resource] = true;
    return step;
  }

 private:
  const Placement& placement_;
  NetworkRules network_;
  std::vector<std::vector<bool>> used_;  ///< of each step, by link_index(), then by sender, then by receiver
};

}  // namespace

std::string_view to_string(NeighbourMethod method) {
  return method == NeighbourMethod::direct ? "direct" : "combined";
}

Schedule direct_neighbour_schedule(const NeighbourGrid& edges, const Placement& placement,
                                   const NetworkRules& network) {
  Schedule schedule{edges.rank_count(), {}};
  UsedResources used(placement, network);
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
      const auto to = edges.destination(Rank{r}, edge);
      if (!to || *to == Rank{r}) continue;
      const std::size_t step = used.first_step(Rank{r}, *to);
      if (step == schedule.steps.size()) schedule.steps.emplace_back();
      schedule.steps[step].push_back({Rank{r}, *to, {chunk_of(edges, Rank{r}, edge)}});
    }
  }
  return schedule;
}

Schedule combined_neighbour_part(const NeighbourGrid& edges, Ports ports, Rank rank) {
  Schedule part = steps_by_axis(edges, ports, [&](Step& step, int axis, std::int32_t distance) {
    NeighbourGrid::Offset back(static_cast<std::size_t>(edges.ranks().axis_count()));
    back[static_cast<std::size_t>(axis)] = distance;
    add_unless_empty(step, message_on(edges, rank, axis, distance));
    const auto from = edges.moved(rank, back, axis, axis + 1, -1);
    if (from) add_unless_empty(step, message_on(edges, *from, axis, distance));
  });
  return part;
}

Schedule combined_neighbour_schedule(const NeighbourGrid& edges, Ports ports) {
  return steps_by_axis(edges, ports, [&](Step& step, int axis, std::int32_t distance) {
    for (std::uint32_t r = 0; r < edges.rank_count(); ++r)
      add_unless_empty(step, message_on(edges, Rank{r}, axis, distance));
  });
}

NeighbourCost neighbour_cost(const NeighbourGrid& edges, NeighbourMethod method, const Placement& placement,
                             const NetworkRules& network, const std::vector<std::uint64_t>& edge_bytes) {
  Schedule schedule{edges.rank_count(), {}};
  if (method == NeighbourMethod::combined) {
    schedule = combined_neighbour_schedule(edges, Ports::all);
  } else {
    Step& step = schedule.steps.emplace_back();
    for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
      for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
        const auto to = edges.destination(Rank{r}, edge);
        if (to && *to != Rank{r}) step.push_back({Rank{r}, *to, {chunk_of(edges, Rank{r}, edge)}});
      }
    }
  }
  NeighbourCost cost;
  std::vector<std::uint64_t> messages(edges.rank_count());
  std::vector<std::uint64_t> passed_on(edges.rank_count());
  for (const Step& step : schedule.steps) {
    if (step.empty()) continue;
    StepLoad load(placement, network.ports, network.tie);
    for (const Message& message : step) {
      std::uint64_t bytes = 0;
      for (const Block& chunk : message.blocks) {
        const std::size_t number = label(chunk.source);
        bytes += edge_bytes[number % edges.edge_count()];
        if (number / edges.edge_count() != label(message.from))
          passed_on[label(message.from)] += edge_bytes[number % edges.edge_count()];
      }
      ++messages[label(message.from)];
      load.add(message.from, message.to, bytes);
    }
    ++cost.phases;
    cost.bytes += load.group().blocks;
  }
  cost.messages = messages.empty() ? 0 : std::ranges::max(messages);
  cost.copied_bytes = passed_on.empty() ? 0 : std::ranges::max(passed_on);
  return cost;
}

}  // namespace cubefold
