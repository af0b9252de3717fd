#include "cc_cube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "algorithm.hpp"
#include "embedding/closed_form.hpp"
#include "embedding/cube_loads.hpp"
#include "schedule/pipelining.hpp"
#include "schedule/task_schedule.hpp"

namespace cubefold {

namespace {

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

ExchangeParts staged_parts(const Placement& placement) {
  const int d = dimension_count(placement);
  return {placement.rank_count(), static_cast<std::size_t>(d), [d](PartBuilder& part) {
            for (int stage = 0; stage < d; ++stage) {
              const auto message = [&](Rank from) {
                return stage_message(d, stage, from, 0, std::uint32_t{1} << (d - 1));
              };
              part.send(static_cast<std::size_t>(stage), message);
              part.receive(static_cast<std::size_t>(stage), neighbour(part.rank(), stage), message);
            }
          }};
}

/// Returns the messages on the busiest link when all ranks send along a dimension.
std::uint64_t busiest_of_dimension(const Placement& placement, int dimension, Tie tie) {
  return closed_form::applies_to(placement) ? closed_form::busiest_link(placement, dimension, tie)
                                            : busiest_link(placement, std::vector{dimension}, tie);
}

/// Costs O(d 2^d axes). A node sends one message in a stage, and a link carries the messages of all pairs of neighbours
/// whose route uses it.
ExchangeCost staged_cost(const Placement& placement, Tie tie) {
  ExchangeCost cost;
  const std::uint64_t blocks = placement.rank_count() / 2;
  for (const int stage : all_dimensions(placement)) {
    cost.add({1, busiest_of_dimension(placement, stage, tie) * blocks, 1, Waits::each});
    cost.sent_blocks += static_cast<double>(blocks);
  }
  return cost;
}

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

/// Adds the messages of an iteration. Dimension k of the task carries packet iteration - k of stage k.
void add_iteration(PartBuilder& part, const Packets& packets, const TaskSchedule& steps,
                   std::uint64_t iteration, std::size_t begin) {
  const auto& [first, count] = steps.task();
  for (int k = first; k < first + count; ++k) {
    const auto message = [&](Rank from) {
      return packets.message(k, iteration - static_cast<std::uint64_t>(k), from);
    };
    const Rank peer = neighbour(part.rank(), k);
    part.send(begin + steps.step_of(part.rank(), k), message);
    part.receive(begin + steps.step_of(peer, k), peer, message);
  }
}

/// Holds the iterations of one task, which follow one another.
struct Iterations {
  TaskSchedule task;
  std::uint64_t first;
  std::uint64_t count;
};

ExchangeParts pipelined_parts(const ExchangeInputs& in) {
  const int d = dimension_count(in.placement);
  const Packets packets(d, in.numbers[0]);
  std::vector<Iterations> tasks;
  std::uint64_t iteration = 0;
  std::size_t step_count = 0;
  for (const auto& [task, times] : pipeline_tasks(d, in.numbers[0])) {
    tasks.push_back({TaskSchedule(in.placement, task, in.ports, in.tie), iteration, times});
    step_count += times * tasks.back().task.step_count();
    iteration += times;
  }
  return {in.placement.rank_count(), step_count, [packets, tasks](PartBuilder& part) {
            std::size_t begin = 0;
            for (const auto& [task, first, count] : tasks) {
              for (std::uint64_t i = first; i < first + count; ++i, begin += task.step_count())
                add_iteration(part, packets, task, i, begin);
            }
          }};
}

}  // namespace

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

/// Describes a complete exchange of 2^d ranks, stage by stage. In step i every rank swaps 2^(d-1) blocks with its
/// neighbour in dimension i. They are the blocks whose source and destination differ in bit i, in descending order of
/// source xor destination, which is the order that makes pipelining legal. There are d steps, d start-ups, and d
/// 2^(d-1) blocks sent per rank. The schedule is one-port. Messages of a step share links wherever neighbours are more
/// than one hop apart. A part costs O(d 2^d). Source: [Calmant] section 5.1, without its two permutations: a block's
/// slot is its position xor the rank.
///
/// With a number of packets the exchange is pipelined, without conflicts on the placement's grid. The blocks of a stage
/// are cut into packets whose sizes differ by one at most. Packet p of stage i travels in iteration p + i, in the step
/// that TaskSchedule assigns to it. Every rank sends d * packets messages and d 2^(d-1) blocks.
/// TaskStepCounts::of_pipeline() gives the number of steps. With one packet, under `standard` on a mesh, a stage has as
/// many steps as its neighbours are hops apart. Throws std::invalid_argument unless there are 1 to 2^(d-1) packets (1
/// for d = 0). A part costs the task schedules in addition. Source: [Calmant] 2.4 and 5.1.
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
      return in.numbers.empty() ? staged_parts(in.placement) : pipelined_parts(in);
    },
    [](const ExchangeInputs& in) {
      return in.numbers.empty() ? staged_cost(in.placement, in.tie)
                                : PipelinedCcCubeCosts(in.placement, in.ports, in.tie).of(in.numbers[0]);
    }};

}  // namespace cubefold
