#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cc_cube_message.hpp"
#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/schedule/pipelining.hpp"
#include "cubefold/schedule/task_schedule.hpp"

namespace cubefold {

namespace {

/// Blocks that a rank sends in a stage, cut into packets whose sizes differ by one at most.
class Packets {
 public:
  Packets(int dimension_count, std::size_t packet_count)
      : dimension_count_(dimension_count),
        block_count_(require_packets_of_stage(dimension_count, packet_count)),
        packet_count_(packet_count) {}

  Message message(int stage, std::uint64_t packet, Rank from) const {
    return stage_message(dimension_count_, stage, from, begin_of(packet), begin_of(packet + 1));
  }

 private:
  std::uint32_t begin_of(std::uint64_t packet) const {
    return static_cast<std::uint32_t>(packet * block_count_ / packet_count_);
  }

  int dimension_count_;
  std::uint64_t block_count_;
  std::uint64_t packet_count_;
};

/// An iteration's steps: the task's dimension k carries packet iteration - k of stage k.
template <typename Senders>
void append_iteration(Schedule& schedule, const Packets& packets, const TaskSchedule& task,
                      std::uint64_t iteration, Senders senders) {
  const auto begin = schedule.steps.size();
  schedule.steps.resize(begin + task.step_count());
  senders(task.task(), [&](Rank from, int k) {
    const auto packet = iteration - static_cast<std::uint64_t>(k);
    schedule.steps[begin + task.step_of(from, k)].push_back(packets.message(k, packet, from));
  });
}

template <typename Senders>
Schedule pipelined(const Placement& placement, std::size_t packet_count, Ports ports, Tie tie,
                   Senders senders) {
  const int d = dimension_count(placement);
  const Packets packets(d, packet_count);
  Schedule schedule{placement.rank_count(), {}};
  std::uint64_t iteration = 0;
  for (const auto& [task, times] : pipeline_tasks(d, packet_count)) {
    const TaskSchedule steps(placement, task, ports, tie);
    for (std::uint64_t i = 0; i < times; ++i)
      append_iteration(schedule, packets, steps, iteration++, senders);
  }
  return schedule;
}

}  // namespace

std::uint64_t require_packets_of_stage(int dimension_count, std::uint64_t packet_count) {
  const std::uint64_t block_count = std::uint64_t{1} << std::max(dimension_count - 1, 0);
  if (packet_count >= 1 && packet_count <= block_count) return block_count;
  throw std::invalid_argument(
      fmt::format("pipelined_cc_cube_exchange: {} packets are not in 1 .. {}, the blocks of a stage",
                  packet_count, block_count));
}

Schedule pipelined_cc_cube_exchange(const Placement& placement, std::size_t packet_count, Ports ports,
                                    Tie tie) {
  return pipelined(placement, packet_count, ports, tie, [&](Task task, auto send) {
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
      for (int k = task.first; k < task.first + task.count; ++k) send(static_cast<Rank>(r), k);
    }
  });
}

Schedule pipelined_cc_cube_exchange_part(const Placement& placement, std::size_t packet_count, Ports ports,
                                         Tie tie, Rank rank) {
  if (label(rank) >= placement.rank_count()) {
    throw std::invalid_argument(fmt::format("pipelined_cc_cube_exchange_part: rank {} is not below {}",
                                            label(rank), placement.rank_count()));
  }
  auto part = pipelined(placement, packet_count, ports, tie, [&](Task task, auto send) {
    for (int k = task.first; k < task.first + task.count; ++k) {
      send(rank, k);
      send(neighbour(rank, k), k);
    }
  });
  for (Step& step : part.steps) {
    std::stable_sort(step.begin(), step.end(),
                     [](const Message& a, const Message& b) { return a.from < b.from; });
  }
  return part;
}

}  // namespace cubefold
