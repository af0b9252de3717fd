#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/schedule/step_sync.hpp"
#include "unequal_tuning.hpp"

namespace cubefold {

/// The backend that moves the blocks of a blocking exchange: the messages of our schedule, MPI's own collective
/// (MPI_Alltoall), a NodeMover, or a SlotMover. Non-blocking exchanges and packets always use the schedule.
enum class Backend : std::uint8_t { schedule, mpi, nodes, slots };

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
  /// Receives of later steps are posted ahead while the posted receives have less than so many bytes.
  std::size_t bytes_in_flight = 1 << 20;
  /// A message of step s is sent when this process has completed all messages of the steps up to s - send_window_steps.
  std::size_t send_window_steps = 4;
  /// Has the setup of the exchange between the leaders of the nodes for Backend::nodes, and between the processes of
  /// each slot for Backend::slots. Otherwise it is empty.
  std::vector<AlltoallSetup> between_nodes = {};

  bool operator==(const AlltoallSetup&) const = default;
};

/// Returns the setup of the plan's choice, with the step synchronisation of the choice or the forced one.
CUBEFOLD_API AlltoallSetup setup_of(const ExchangePlan& plan, std::optional<StepSync> forced = {});

/// Everything that determines how blocks of unequal sizes are exchanged. It must be the same on all processes.
struct UnequalSetup {
  /// The method, which must not forward blocks, with its network, and the times that schedule_by_size() assumes. Its
  /// between_nodes is the setup of the leaders for UnequalBackend::nodes.
  AlltoallSetup schedule = {};
  /// The backends to choose from, at least one. Without measurements the last one that can be used is used.
  std::vector<UnequalBackend> backends{UnequalBackend::narrow};
  /// The least number of rounds in which calls measure all backends, or 0 if none is measured.
  std::size_t round_count = 0;
};

/// AlltoallSetup::send_window_steps of UnequalBackend::narrow and UnequalBackend::wide.
inline constexpr std::size_t short_window_steps = AlltoallSetup{}.send_window_steps;
inline constexpr std::size_t long_window_steps = 16;

/// Returns the name of a backend that uses this schedule, as `MPI_Alltoallv`, `direct by size` or `direct between
/// nodes`.
CUBEFOLD_API std::string name_of(UnequalBackend backend, const AlltoallSetup& schedule);

}  // namespace cubefold
