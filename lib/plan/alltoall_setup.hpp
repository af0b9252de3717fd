#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/schedule/step_sync.hpp"

namespace cubefold {

/// The backend that moves the blocks of a blocking exchange: the messages of our schedule, MPI's own collective
/// (MPI_Alltoall or MPI_Alltoallv), messages between nodes or slots, or unequal blocks by size. Non-blocking exchanges
/// and packets always use the schedule.
enum class Backend : std::uint8_t { schedule, mpi, nodes, slots, by_size };

inline bool is_between_nodes(Backend backend) {
  return backend == Backend::nodes || backend == Backend::slots;
}

/// Everything that determines how a plan exchanges blocks. It must be the same on all processes.
struct AlltoallSetup {
  ExchangeMethod method = {};
  NetworkRules network = {};
  Backend backend = Backend::schedule;
  StepSync sync = StepSync::data;
  StepTimes times = {};  ///< used with StepSync::clock
  /// Blocks travel in rounds, each with a piece of so many bytes of every block. With 0 they travel whole.
  std::size_t piece_bytes = 0;
  /// The longest message of one block, and the most that one call of MPI_Pack copies: MPI 3.1 counts bytes by an int.
  /// Longer blocks travel in pieces, as with piece_bytes, and not by MPI's own collective.
  std::size_t largest_message_bytes = std::numeric_limits<std::int32_t>::max();
  /// Receives of later steps are posted ahead while the posted receives have less than so many bytes.
  std::size_t bytes_in_flight = 1 << 20;
  /// A message of step s is sent when this process has completed all messages of the steps up to s - send_window_steps.
  std::size_t send_window_steps = 4;
  /// Blocks of at least so many bytes travel in messages of their own, which nobody packs. Messages that have several
  /// blocks otherwise are then as many as these. With `never` no blocks do.
  std::size_t single_block_bytes = never;
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  /// Has the setup of the exchange between the leaders of the nodes for Backend::nodes, and between the processes of
  /// each slot for Backend::slots. Otherwise it is empty.
  std::vector<AlltoallSetup> between_nodes = {};

  bool operator==(const AlltoallSetup&) const = default;
};

/// A number of steps that no schedule has. It can be added to a step without overflow.
inline constexpr std::size_t unlimited_steps = std::numeric_limits<std::size_t>::max() / 2;

/// Returns the setup of the plan's choice, with the step synchronisation of the choice or the forced one.
CUBEFOLD_API AlltoallSetup setup_of(const ExchangePlan& plan, std::optional<StepSync> forced = {});

/// Returns the size in bytes from which on a message of its own costs the processors less than the copies of its block:
///
///     gap * rate of memory / 0.7.
///
/// A message takes the processor of each of its two ends a gap, which is 0.3 us if 0 is given. Where blocks travel
/// together, a process copies 0.5 to 0.9 blocks for each message that it does not send or receive
/// (docs/exchange-steps.md).
CUBEFOLD_API std::size_t least_single_block_bytes(double gap_seconds, double memory_bytes_per_second = 20e9);

}  // namespace cubefold
