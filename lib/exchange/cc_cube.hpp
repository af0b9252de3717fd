#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"
#include "schedule/task.hpp"

namespace cubefold {

/// Complete exchange of 2^d ranks, stage by stage: in step i every rank swaps 2^(d-1) blocks with its
/// neighbour in dimension i, namely those whose source and destination differ in bit i, in descending order
/// of source xor destination (the order that makes pipelining legal). d steps, d start-ups, d 2^(d-1) blocks
/// sent per rank. One-port; a step's messages share links wherever neighbours are more than one hop apart.
/// Throws std::invalid_argument unless 0 <= dimension_count <= 31. O(d 4^d).
/// Source: [Calmant] section 5.1, without its two permutations: a block's slot is its position xor the rank.
CUBEFOLD_API Schedule cc_cube_exchange(int dimension_count);

/// part_of(cc_cube_exchange(dimension_count), rank) in O(d 2^d). Throws std::invalid_argument for a rank that is not
/// below 2^d, and as above.
CUBEFOLD_API Schedule cc_cube_exchange_part(int dimension_count, Rank rank);

/// What cc_cube_exchange() costs under a placement, with one port or all. Throws std::invalid_argument for a number of
/// ranks that is no power of two. O(d 2^d axes).
CUBEFOLD_API ExchangeCost cc_cube_exchange_cost(const Placement& placement, Tie tie);

/// The same exchange pipelined, without conflicts on the placement's grid: what a stage sends is cut into packets as
/// equal as can be, and packet p of stage i travels in iteration p + i, in the step that TaskSchedule gives it. Every
/// rank sends d * packet_count messages and the same d 2^(d-1) blocks; steps are those of
/// TaskStepCounts::of_pipeline(). With one packet every stage has as many steps as its neighbours are hops apart, on a
/// mesh under `standard`. Throws std::invalid_argument unless 1 <= packet_count <= 2^(d-1) (1 for d = 0), and for a
/// number of ranks that is no power of two. O(d 4^d) and the task schedules. Source: [Calmant] 2.4 and 5.1.
CUBEFOLD_API Schedule pipelined_cc_cube_exchange(const Placement& placement, std::size_t packet_count,
                                                 Ports ports, Tie tie);

/// part_of() that exchange in O(d 2^d) and the task schedules. Throws std::invalid_argument for a rank that is not
/// below 2^d, and as above.
CUBEFOLD_API Schedule pipelined_cc_cube_exchange_part(const Placement& placement, std::size_t packet_count,
                                                      Ports ports, Tie tie, Rank rank);

/// What pipelined_cc_cube_exchange() costs with any number of packets. Tasks are scheduled when they are first asked
/// for, and kept.
class CUBEFOLD_API PipelinedCcCubeCosts {
 public:
  /// Throws std::invalid_argument for a number of ranks that is no power of two.
  PipelinedCcCubeCosts(const Placement& placement, Ports ports, Tie tie);

  /// Throws std::invalid_argument as pipelined_cc_cube_exchange() does. O(iterations * groups of equal steps in a
  /// task), and the task schedules.
  ExchangeCost of(std::uint64_t packet_count);

 private:
  /// Steps in a row of a task in which messages go in the same dimensions, bit k for dimension k.
  struct EqualSteps {
    std::size_t steps;
    std::uint32_t dimensions;
  };

  struct TaskSteps {
    std::vector<EqualSteps> by_dimensions;
    std::vector<EqualSteps> by_use;  ///< joined where there are any dimensions
  };

  const TaskSteps& steps_of(Task task);

  Placement placement_;
  int dimension_count_;
  Ports ports_;
  Tie tie_;
  std::map<std::pair<int, int>, TaskSteps> tasks_;  ///< by first and count
};

}  // namespace cubefold
