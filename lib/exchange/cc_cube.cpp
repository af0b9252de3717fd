#include "cc_cube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "algorithm.hpp"
#include "embedding/closed_form.hpp"
#include "embedding/cube_loads.hpp"
#include "schedule/pipelining.hpp"
#include "schedule/task_schedule.hpp"

namespace cubefold {

namespace {

Schedule empty_schedule(int dimension_count) {
  if (dimension_count < 0 || dimension_count > 31) {
    throw std::invalid_argument(
        fmt::format("cc_cube_exchange: dimension count {} is not in 0 .. 31", dimension_count));
  }
  return {std::size_t{1} << dimension_count, std::vector<Step>(static_cast<std::size_t>(dimension_count))};
}

/// Returns a message with blocks `first` to `last` - 1 of the 2^(d-1) blocks that a rank sends in a stage. The blocks
/// are in descending order of position, which is source xor destination: the dimensions that the block has to cross.
/// Before stage i a block has crossed its dimensions below i. The n-th position from the top is 2^(d-1) - 1 - n with
/// the stage's bit inserted.
Message stage_message(int dimension_count, int stage, Rank from, std::uint32_t first, std::uint32_t last) {
  const std::uint32_t stage_bit = std::uint32_t{1} << stage;
  const std::uint32_t highest = (std::uint32_t{1} << (dimension_count - 1)) - 1;
  Message message{from, neighbour(from, stage), {}};
  message.blocks.reserve(last - first);
  for (std::uint32_t n = first; n < last; ++n) {
    const std::uint32_t others = highest - n;
    const std::uint32_t crossed = others & (stage_bit - 1);
    const std::uint32_t position = ((others - crossed) << 1) | stage_bit | crossed;
    const std::uint32_t source = label(from) ^ crossed;
    message.blocks.push_back({static_cast<Rank>(source), static_cast<Rank>(source ^ position)});
  }
  return message;
}

/// Returns the message with all blocks that a rank sends in a stage.
Message stage_message(int dimension_count, int stage, Rank from) {
  return stage_message(dimension_count, stage, from, 0, std::uint32_t{1} << (dimension_count - 1));
}

}  // namespace

Schedule cc_cube_exchange(int dimension_count) {
  Schedule schedule = empty_schedule(dimension_count);
  for (int stage = 0; stage < dimension_count; ++stage) {
    Step& step = schedule.steps[static_cast<std::size_t>(stage)];
    for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
      step.push_back(stage_message(dimension_count, stage, static_cast<Rank>(r)));
    }
  }
  return schedule;
}

Schedule cc_cube_exchange_part(int dimension_count, Rank rank) {
  Schedule part = empty_schedule(dimension_count);
  if (label(rank) >= part.rank_count) {
    throw std::invalid_argument(
        fmt::format("cc_cube_exchange_part: rank {} is not below {}", label(rank), part.rank_count));
  }
  for (int stage = 0; stage < dimension_count; ++stage) {
    Step& step = part.steps[static_cast<std::size_t>(stage)];
    const Rank peer = neighbour(rank, stage);
    step.push_back(stage_message(dimension_count, stage, std::min(rank, peer)));
    step.push_back(stage_message(dimension_count, stage, std::max(rank, peer)));
  }
  return part;
}

// A node sends one message in a stage, and a link carries the messages of all pairs of neighbours whose route uses it.
namespace {

/// Returns the messages on the busiest link when all ranks send along a dimension.
std::uint64_t busiest_of_dimension(const Placement& placement, int dimension, Tie tie) {
  return closed_form::applies_to(placement) ? closed_form::busiest_link(placement, dimension, tie)
                                            : busiest_link(placement, std::vector{dimension}, tie);
}

}  // namespace

ExchangeCost cc_cube_exchange_cost(const Placement& placement, Tie tie) {
  ExchangeCost cost;
  const std::uint64_t blocks = placement.rank_count() / 2;
  for (const int stage : all_dimensions(placement)) {
    cost.add({1, busiest_of_dimension(placement, stage, tie) * blocks, 1, Waits::each});
    cost.sent_blocks += static_cast<double>(blocks);
  }
  return cost;
}

namespace {

/// Returns the number of blocks of a stage. Throws std::invalid_argument unless it is enough for packet_count packets.
std::uint64_t require_packets_of_stage(int dimension_count, std::uint64_t packet_count) {
  const std::uint64_t block_count = std::uint64_t{1} << std::max(dimension_count - 1, 0);
  if (packet_count >= 1 && packet_count <= block_count) return block_count;
  throw std::invalid_argument(
      fmt::format("pipelined_cc_cube_exchange: {} packets are not in 1 .. {}, the blocks of a stage",
                  packet_count, block_count));
}

/// Cuts the blocks that a rank sends in a stage into packets whose sizes differ by one at most.
class Packets {
 public:
  Packets(int dimension_count, std::size_t packet_count)
      : dimension_count_(dimension_count),
        block_count_(require_packets_of_stage(dimension_count, packet_count)),
        packet_count_(packet_count) {}

  Message message(int stage, std::uint64_t packet, Rank from) const {
    return stage_message(dimension_count_, stage, from, begin_of(packet), begin_of(packet + 1));
  }

  std::uint64_t size(std::uint64_t packet) const { return begin_of(packet + 1) - begin_of(packet); }

 private:
  std::uint32_t begin_of(std::uint64_t packet) const {
    return static_cast<std::uint32_t>(packet * block_count_ / packet_count_);
  }

  int dimension_count_;
  std::uint64_t block_count_;
  std::uint64_t packet_count_;
};

/// Appends the steps of an iteration. Dimension k of the task carries packet iteration - k of stage k.
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

PipelinedCcCubeCosts::PipelinedCcCubeCosts(const Placement& placement, Ports ports, Tie tie)
    : placement_(placement), dimension_count_(dimension_count(placement)), ports_(ports), tie_(tie) {}

const PipelinedCcCubeCosts::TaskSteps& PipelinedCcCubeCosts::steps_of(Task task) {
  const auto [found, is_new] = tasks_.try_emplace({task.first, task.count});
  TaskSteps& steps = found->second;
  if (!is_new) return steps;
  const auto add = [](std::vector<EqualSteps>& runs, std::uint32_t dimensions, bool is_same) {
    if (runs.empty() || !is_same) runs.push_back({0, dimensions});
    ++runs.back().steps;
  };
  for (const auto dimensions : TaskSchedule(placement_, task, ports_, tie_).dimensions_by_step()) {
    const std::uint32_t last = steps.by_dimensions.empty() ? 0 : steps.by_dimensions.back().dimensions;
    add(steps.by_dimensions, dimensions, last == dimensions);
    add(steps.by_use, dimensions, (last == 0) == (dimensions == 0));
  }
  return steps;
}

// The steps of an iteration wait for the iteration before, but not for one another. They are free of conflicts, so that
// each step takes as long as its longest packet.
ExchangeCost PipelinedCcCubeCosts::of(std::uint64_t packet_count) {
  const Packets packets(dimension_count_, packet_count);
  ExchangeCost cost;
  std::uint64_t iteration = 0;
  for (const auto& [task, times] : pipeline_tasks(dimension_count_, packet_count)) {
    const TaskSteps& steps_of_task = steps_of(task);
    for (std::uint64_t i = 0; i < times; ++i, ++iteration) {
      // Dimension task.first + k carries packet `first` - k.
      const std::uint64_t first = iteration - static_cast<std::uint64_t>(task.first);
      std::vector<std::uint64_t> sizes;
      sizes.reserve(static_cast<std::size_t>(task.count));
      for (int k = 0; k < task.count; ++k)
        sizes.push_back(packets.size(first - static_cast<std::uint64_t>(k)));
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      Waits waits = Waits::first;
      for (const auto& [steps, dimensions] :
           *least == *most ? steps_of_task.by_use : steps_of_task.by_dimensions) {
        std::uint64_t longest = 0;
        for (std::uint32_t left = dimensions; left != 0; left &= left - 1) {
          const int k = std::countr_zero(left) - task.first;
          longest = std::max(longest, sizes[static_cast<std::size_t>(k)]);
        }
        cost.add({steps, longest, dimensions == 0 ? 0U : 1U, std::exchange(waits, Waits::none)});
      }
    }
  }
  cost.sent_blocks = dimension_count_ * static_cast<double>(placement_.rank_count()) / 2;
  return cost;
}

const ExchangeDescriptor cc_cube_algorithm{
    {.name = "cc-cube",
     .examples = "cc-cube, cc-cube:8",
     .summary = "one stage for each hypercube dimension, in this many packets where a number is given",
     .fewest_numbers = 0,
     .most_numbers = 1,
     .is_free_of_conflicts = false,
     .depends_on_placement = true,
     .is_compared = false},
    on_powers_of_two,
    [](const ExchangeInputs& in) {
      return in.numbers.empty() ? cc_cube_exchange(dimension_count(in.placement))
                                : pipelined_cc_cube_exchange(in.placement, in.numbers[0], in.ports, in.tie);
    },
    [](const ExchangeInputs& in, Rank rank) {
      return in.numbers.empty()
                 ? cc_cube_exchange_part(dimension_count(in.placement), rank)
                 : pipelined_cc_cube_exchange_part(in.placement, in.numbers[0], in.ports, in.tie, rank);
    },
    [](const ExchangeInputs& in) {
      return in.numbers.empty() ? cc_cube_exchange_cost(in.placement, in.tie)
                                : PipelinedCcCubeCosts(in.placement, in.ports, in.tie).of(in.numbers[0]);
    }};

}  // namespace cubefold
