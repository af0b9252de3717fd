#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"
#include "schedule/task.hpp"

namespace cubefold {

/// Builds a complete exchange of 2^d ranks, stage by stage. In step i every rank swaps 2^(d-1) blocks with its
/// neighbour in dimension i. They are the blocks whose source and destination differ in bit i, in descending order of
/// source xor destination, which is the order that makes pipelining legal. There are d steps, d start-ups, and d
/// 2^(d-1) blocks sent per rank. The schedule is one-port. Messages of a step share links wherever neighbours are more
/// than one hop apart. Throws std::invalid_argument unless 0 <= dimension_count <= 31. Costs O(d 4^d). Source:
/// [Calmant] section 5.1, without its two permutations: a block's slot is its position xor the rank.
CUBEFOLD_API Schedule cc_cube_exchange(int dimension_count);

/// Returns part_of(cc_cube_exchange(dimension_count), rank) in O(d 2^d). Throws what cc_cube_exchange() throws, and
/// std::invalid_argument for a rank that is not below 2^d.
CUBEFOLD_API Schedule cc_cube_exchange_part(int dimension_count, Rank rank);

/// Returns the cost of cc_cube_exchange() under a placement, which is the same with one port and with all ports. Throws
/// std::invalid_argument if the number of ranks is not a power of two. Costs O(d 2^d axes).
CUBEFOLD_API ExchangeCost cc_cube_exchange_cost(const Placement& placement, Tie tie);

/// Builds cc_cube_exchange() pipelined, without conflicts on the placement's grid. The blocks of a stage are cut into
/// packets whose sizes differ by one at most. Packet p of stage i travels in iteration p + i, in the step that
/// TaskSchedule assigns to it. Every rank sends d * packet_count messages and d 2^(d-1) blocks.
/// TaskStepCounts::of_pipeline() gives the number of steps. With one packet, under `standard` on a mesh, a stage has as
/// many steps as its neighbours are hops apart. Throws std::invalid_argument unless 1 <= packet_count <= 2^(d-1) (1 for
/// d = 0), and if the number of ranks is not a power of two. Costs O(d 4^d) and the task schedules. Source: [Calmant]
/// 2.4 and 5.1.
CUBEFOLD_API Schedule pipelined_cc_cube_exchange(const Placement& placement, std::size_t packet_count,
                                                 Ports ports, Tie tie);

/// Returns part_of(pipelined_cc_cube_exchange(...), rank) in O(d 2^d) and the task schedules. Throws what
/// pipelined_cc_cube_exchange() throws, and std::invalid_argument for a rank that is not below 2^d.
CUBEFOLD_API Schedule pipelined_cc_cube_exchange_part(const Placement& placement, std::size_t packet_count,
                                                      Ports ports, Tie tie, Rank rank);

/// Computes the cost of pipelined_cc_cube_exchange() for any number of packets. It schedules each task when the task is
/// first needed, and keeps the result.
class CUBEFOLD_API PipelinedCcCubeCosts {
 public:
  /// Throws std::invalid_argument if the number of ranks is not a power of two.
  PipelinedCcCubeCosts(const Placement& placement, Ports ports, Tie tie);

  /// Returns the cost with this number of packets. Costs O(iterations * groups of equal steps in a task) and the task
  /// schedules. Throws what pipelined_cc_cube_exchange() throws.
  ExchangeCost of(std::uint64_t packet_count);

 private:
  /// Counts steps in a row of a task in which messages travel in the same dimensions; bit k stands for dimension k.
  struct EqualSteps {
    std::size_t steps;
    std::uint32_t dimensions;
  };

  struct TaskSteps {
    std::vector<EqualSteps> by_dimensions;
    /// Joins steps in a row if all of them use some dimension or none of them uses any.
    std::vector<EqualSteps> by_use;
  };

  const TaskSteps& steps_of(Task task);

  Placement placement_;
  int dimension_count_;
  Ports ports_;
  Tie tie_;
  std::map<std::pair<int, int>, TaskSteps> tasks_;  ///< by the first and count of the task
};

}  // namespace cubefold
