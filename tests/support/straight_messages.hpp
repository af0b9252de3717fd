#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/task_schedule.hpp"

namespace cubefold {

/// Checks a one-port task schedule on an open grid where neighbours differ in one coordinate. It is a second checker
/// for large grids, in addition to first_conflict(). It does not use route() or Schedule. It walks from node to node,
/// and marks ports and links with the last step that used them. fault() returns the error, or nothing.
class StraightMessages {
 public:
  static std::optional<std::string> fault(const TaskSchedule& schedule, const Placement& placement) {
    StraightMessages messages(schedule, placement);
    if (messages.fault_) return messages.fault_;
    for (std::uint32_t step = 0; step < messages.steps_.size(); ++step) {
      for (const auto& [from, to] : messages.steps_[step]) messages.travel(step, from, to);
    }
    return messages.fault_;
  }

 private:
  struct Straight {
    std::uint32_t from;
    std::uint32_t to;
  };

  /// Holds the last step that used each port or link of a node. It is empty before the first use.
  using LastSteps = std::vector<std::uint32_t>;

  StraightMessages(const TaskSchedule& schedule, const Placement& placement)
      : placement_(placement), steps_(schedule.step_count()) {
    const auto [first, count] = schedule.task();
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
      for (int k = first; k < first + count; ++k) add(schedule.step_of(Rank{r}, k), r, r ^ (1U << k));
    }
  }

  void add(std::size_t step, std::uint32_t from, std::uint32_t to) {
    if (step >= steps_.size()) {
      fault_ = fmt::format("rank {} sends in step {} of {}", from, step, steps_.size());
      return;
    }
    steps_[step].push_back({static_cast<std::uint32_t>(placement_.node_of(Rank{from})),
                            static_cast<std::uint32_t>(placement_.node_of(Rank{to}))});
  }

  void use(LastSteps& last, std::uint32_t step, std::uint32_t node, const char* what) {
    if (last.empty()) last.assign(placement_.rank_count(), static_cast<std::uint32_t>(-1));
    if (last[node] == step) fault_ = fmt::format("step {}: node {} {}", step, node, what);
    last[node] = step;
  }

  /// Returns the stride of the axis along which a message travels. It is the largest stride that divides the difference
  /// of its nodes.
  std::uint32_t stride_of(std::uint32_t way) const {
    std::size_t stride = 1;
    for (int axis = 0; axis < placement_.grid().axis_count(); ++axis) {
      if (way % placement_.grid().stride(axis) == 0) stride = placement_.grid().stride(axis);
    }
    return static_cast<std::uint32_t>(stride);
  }

  void travel(std::uint32_t step, std::uint32_t from, std::uint32_t to) {
    use(sends_, step, from, "sends twice");
    use(receives_, step, to, "receives twice");
    const bool up = to > from;
    const auto stride = stride_of(up ? to - from : from - to);
    auto& links = links_[2 * static_cast<std::size_t>(std::countr_zero(stride)) + (up ? 1 : 0)];
    for (auto node = from; node != to; node = up ? node + stride : node - stride) {
      use(links, step, node, "passes on two messages one way");
    }
  }

  const Placement& placement_;
  std::vector<std::vector<Straight>> steps_;
  std::optional<std::string> fault_{};
  LastSteps sends_{};
  LastSteps receives_{};
  std::array<LastSteps, 64> links_{};
};

}  // namespace cubefold
