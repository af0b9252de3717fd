#include "task_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "cubefold/topology/link_loads.hpp"
#include "dimension_groups.hpp"
#include "schedule_segments.hpp"

namespace cubefold {

std::string_view to_string(TaskMethod method) {
  switch (method) {
    case TaskMethod::closed_form:
      return "closed form";
    case TaskMethod::search:
      return "search";
    case TaskMethod::greedy:
      break;
  }
  return "greedy";
}

namespace {

/// Returns the load of the busiest link of an axis, counted on one line: neighbours in one dimension are on the same
/// line, and all lines of an axis carry the same.
std::uint64_t busiest_of_axis(const Placement& placement, const std::vector<DimensionGroup>& groups,
                              Tie tie) {
  const int axis = groups.front().axis;
  const Grid& grid = placement.grid();
  LinkLoads loads(Grid({grid.axes()[static_cast<std::size_t>(axis)]}), tie);
  for (std::uint32_t x = 0; x < grid.extent(axis); ++x) {
    const auto rank = placement.rank_of(static_cast<GridNode>(x * grid.stride(axis)));
    for (const DimensionGroup& group : groups) {
      for (const int k : {group.dimension, group.lower_dimension}) {
        if (k < 0) continue;
        const auto to = placement.node_of(neighbour(rank, k));
        loads.add(static_cast<GridNode>(x), static_cast<GridNode>(grid.coordinate(to, axis)));
      }
    }
  }
  return loads.busiest();
}

std::uint32_t bound_of(const Placement& placement, const std::vector<std::vector<DimensionGroup>>& axes,
                       Task task, Ports ports, Tie tie) {
  std::uint64_t bound = ports == Ports::one ? static_cast<std::uint64_t>(task.count) : 0;
  for (const auto& groups : axes) {
    if (!groups.empty()) bound = std::max(bound, busiest_of_axis(placement, groups, tie));
  }
  return static_cast<std::uint32_t>(bound);
}

/// Says where the group of a dimension is.
struct Address {
  std::size_t segment;
  std::size_t group;
};

std::vector<Address> addresses_of(const std::vector<ScheduleSegment>& segments, Task task) {
  std::vector<Address> addresses(static_cast<std::size_t>(task.count));
  const auto note = [&](int dimension, Address address) {
    if (dimension >= 0) addresses[static_cast<std::size_t>(dimension - task.first)] = address;
  };
  for (std::size_t segment = 0; segment < segments.size(); ++segment) {
    const auto& groups = std::visit(
        [](const auto& steps) -> const auto& { return steps.groups(); }, segments[segment].steps);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      note(groups[group].dimension, {segment, group});
      note(groups[group].lower_dimension, {segment, group});
    }
  }
  return addresses;
}

/// The most messages of a task for which steps without a formula are tried too. They are taken if the formula takes
/// more steps than they do, as formulas for dimensions that are scattered over an axis may.
constexpr std::size_t most_messages_tried = 2048;

void require_task(const Placement& placement, Task task) {
  const int limit = dimension_count(placement);
  if (task.first < 0 || task.count < 0 || task.first > limit - task.count) {
    throw std::invalid_argument(fmt::format("TaskSchedule: task <{}, {}> is not within dimensions 0 .. {}",
                                            task.first, task.count, limit - 1));
  }
}

}  // namespace

struct TaskSchedule::Steps {
  Placement placement;
  Task task;
  TaskMethod method;
  std::uint32_t step_count;
  std::uint32_t lower_bound;
  std::vector<ScheduleSegment> segments{};
  std::vector<Address> addresses{};
  std::vector<std::uint32_t> step_of_message{};

  std::size_t step_of(Rank rank, int dimension) const {
    const auto place = static_cast<std::size_t>(dimension - task.first);
    if (method == TaskMethod::greedy)
      return step_of_message[label(rank) * static_cast<std::size_t>(task.count) + place];
    const auto coordinates = placement.grid().coordinates(placement.node_of(rank));
    const auto [segment, group] = addresses[place];
    const auto within = std::visit(
        [&, group = group](const auto& steps) {
          const DimensionGroup& own = steps.groups()[group];
          const auto slot = own.slot_of(dimension, coordinates[static_cast<std::size_t>(own.axis)]);
          return steps.step_of(group, slot, coordinates);
        },
        segments[segment].steps);
    return segments[segment].begin + within;
  }

  std::vector<std::uint32_t> dimensions_by_step() const {
    std::vector<std::uint32_t> dimensions(step_count);
    for (std::size_t i = 0; i < step_of_message.size(); ++i) {
      const auto place = i % static_cast<std::size_t>(task.count);
      dimensions[step_of_message[i]] |= std::uint32_t{1} << (static_cast<std::size_t>(task.first) + place);
    }
    for (std::size_t place = 0; place < addresses.size(); ++place) {
      const auto [segment, group] = addresses[place];
      const auto steps = std::visit([group = group](const auto& each) { return each.steps_of(group); },
                                    segments[segment].steps);
      for (const auto step : steps) {
        dimensions[segments[segment].begin + step] |= std::uint32_t{1}
                                                      << (static_cast<std::size_t>(task.first) + place);
      }
    }
    return dimensions;
  }
};

TaskSchedule::TaskSchedule(const Placement& placement, Task task, Ports ports, Tie tie) {
  require_task(placement, task);
  if (const auto axes = dimension_groups_of(placement, task, tie)) {
    const auto bound = bound_of(placement, *axes, task, ports, tie);
    auto found = find_segments(*axes, ports, bound);
    auto addresses = addresses_of(found.segments, task);
    steps_ = std::make_shared<Steps>(Steps{placement, task, found.method, end_of(found.segments), bound,
                                           std::move(found.segments), std::move(addresses)});
    const bool is_small =
        placement.rank_count() * static_cast<std::size_t>(task.count) <= most_messages_tried;
    if (steps_->step_count == bound || !is_small) return;
  }
  auto greedy = greedy_steps(placement, task, ports, tie);
  if (steps_ && steps_->step_count <= greedy.step_count) return;
  const auto bound = static_cast<std::uint32_t>(task_bound(placement, task, ports, tie));
  steps_ = std::make_shared<Steps>(Steps{placement,
                                         task,
                                         TaskMethod::greedy,
                                         greedy.step_count,
                                         bound,
                                         {},
                                         {},
                                         std::move(greedy.step_of_message)});
}

const Task& TaskSchedule::task() const {
  return steps_->task;
}

TaskMethod TaskSchedule::method() const {
  return steps_->method;
}

std::size_t TaskSchedule::step_count() const {
  return steps_->step_count;
}

std::size_t TaskSchedule::lower_bound() const {
  return steps_->lower_bound;
}

std::size_t TaskSchedule::step_of(Rank rank, int dimension) const {
  return steps_->step_of(rank, dimension);
}

std::vector<std::uint32_t> TaskSchedule::dimensions_by_step() const {
  return steps_->dimensions_by_step();
}

Schedule messages_of(const TaskSchedule& schedule, const Placement& placement) {
  Schedule messages{placement.rank_count(), std::vector<Step>(schedule.step_count())};
  const Task& task = schedule.task();
  for (std::uint32_t r = 0; r < messages.rank_count; ++r) {
    const auto from = static_cast<Rank>(r);
    for (int k = task.first; k < task.first + task.count; ++k) {
      const Rank to = neighbour(from, k);
      messages.steps[schedule.step_of(from, k)].push_back({from, to, {{from, to}}});
    }
  }
  return messages;
}

}  // namespace cubefold
