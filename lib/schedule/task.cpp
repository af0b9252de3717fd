#include "task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "embedding/cube_loads.hpp"

namespace cubefold {

namespace {

void require_dimensions(const char* function, Task task, int dimension_limit) {
  if (task.first < 0 || task.count < 0 || task.first > dimension_limit - task.count) {
    throw std::invalid_argument(fmt::format("{}: task <{}, {}> is not within dimensions 0 .. {}", function,
                                            task.first, task.count, dimension_limit - 1));
  }
}

}  // namespace

std::uint64_t busiest_line_link(Task task) {
  require_dimensions("busiest_line_link", task, 62);
  if (task.count == 0) return 0;
  const auto all = std::uint64_t{1} << (task.first + task.count + 1);
  return (all - (std::uint64_t{1} << (task.first + (task.count % 2 == 0 ? 1 : 0)))) / 3;
}

std::uint64_t busiest_mesh_link(Task task, int axis_count) {
  if (axis_count < 1) {
    throw std::invalid_argument(fmt::format("busiest_mesh_link: axis count {} is not positive", axis_count));
  }
  require_dimensions("busiest_mesh_link", task, 62);
  if (task.count == 0) return 0;
  return busiest_line_link({(task.first + (task.count - 1) % axis_count) / axis_count,
                            (task.count + axis_count - 1) / axis_count});
}

std::uint64_t task_bound(Task task, int axis_count) {
  return std::max(busiest_mesh_link(task, axis_count), static_cast<std::uint64_t>(task.count));
}

std::uint64_t task_bound(const Placement& placement, Task task, Ports ports, Tie tie) {
  require_dimensions("task_bound", task, dimension_count(placement));
  std::vector<int> dimensions(static_cast<std::size_t>(task.count));
  std::iota(dimensions.begin(), dimensions.end(), task.first);
  const auto busiest = busiest_link(placement, dimensions, tie);
  return ports == Ports::one ? std::max(busiest, static_cast<std::uint64_t>(task.count)) : busiest;
}

}  // namespace cubefold
