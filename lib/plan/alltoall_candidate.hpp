#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alltoall_setup.hpp"
#include "collective/neighbour_steps.hpp"
#include "collective/reduction.hpp"
#include "cubefold/export.h"
#include "exchange_tuning.hpp"

namespace cubefold {

/// The windows of the steps of unequal blocks.
inline constexpr std::size_t short_window_steps = AlltoallSetup{}.send_window_steps;
inline constexpr std::size_t long_window_steps = 16;

/// Calls that exchange blocks. Blocking calls with blocks of one size, of unequal sizes or of several datatypes may use
/// MPI's own all-to-all; requests and packets, whose exchanges overlap with other work, always use a schedule. Calls
/// for vectors reduce or gather them, and have one size.
enum class CallKind : std::uint8_t { blocking, overlapped, unequal, typed, vector };

/// Returns whether blocks of such calls have several sizes.
inline bool have_several_sizes(CallKind kind) {
  return kind == CallKind::unequal || kind == CallKind::typed;
}

/// Returns whether blocks are mostly empty: at most a third of the p blocks of a side are not.
inline bool are_mostly_empty(std::size_t rank_count, std::size_t filled_count) {
  return 3 * filled_count <= rank_count;
}

CUBEFOLD_API const char* to_string(CallKind kind);

/// The sizes of the blocks of an exchange, over all its processes.
struct ExchangeSizes {
  std::uint64_t largest_bytes;  ///< of one block that travels to another rank
  std::uint64_t process_bytes;  ///< most bytes that one process sends or receives, with the block for itself
  std::uint64_t sent_bytes;     ///< most bytes that one process sends, with the block for itself
};

/// Calls for which one choice holds. Those with blocks of one size are of one class if the size has the same bit width.
/// Those with blocks of unequal sizes or of several datatypes are if their largest_bytes and process_bytes have the
/// same bit widths, and if the blocks of both or of neither may travel at once: if sent_bytes has at most one bit more
/// than largest_bytes, and process_bytes at most three. Every process then sends fewer than 4 of the longest blocks and
/// receives fewer than 16.
struct CallClass {
  CallKind kind;
  std::size_t largest_width = 0;
  std::size_t process_width = 0;  ///< 0 for blocks of one size
  bool may_travel_at_once = false;

  bool operator==(const CallClass&) const = default;
  bool operator<(const CallClass& other) const {
    return std::tie(kind, largest_width, process_width, may_travel_at_once) <
           std::tie(other.kind, other.largest_width, other.process_width, other.may_travel_at_once);
  }
};

CUBEFOLD_API CallClass class_of(CallKind kind, const ExchangeSizes& sizes);

/// One way to exchange blocks, or to reduce or gather vectors. Candidates are equal whatever is predicted and planned,
/// whatever their load, and however long their slots are.
struct AlltoallCandidate {
  std::optional<ExchangeMethod> method = std::nullopt;  ///< empty for MPI's own function, and for vectors
  double predicted_seconds = 0;                 ///< 0 without a machine file, whose times alone are reliable
  Backend backend = Backend::schedule;          ///< what uses the method, or Backend::mpi
  std::optional<StepSync> sync = std::nullopt;  ///< in place of the planner's synchronisation
  std::optional<std::size_t> window_steps =
      std::nullopt;                           ///< steps without the clock, and this window of them
  std::optional<Ports> ports = std::nullopt;  ///< in place of those that exchanges are planned for
  /// The time of a byte in the slots of StepSync::clock, in place of the times of a machine file. It is 0 until the
  /// times of other candidates have shown it.
  std::optional<double> slot_tau_seconds = std::nullopt;
  double slot_blocks = 0;  ///< that travel one after the other in all slots together
  ExchangeLoad load = {};  ///< with the ports that exchanges are planned for
  std::optional<AlltoallSetup> setup = std::nullopt;  ///< if the decision for one block size has planned it
  std::optional<VectorMethod> vector_method =
      std::nullopt;  ///< only for vectors; empty for MPI's own function
  std::optional<NeighbourMethod> neighbour_method =
      std::nullopt;  ///< only for neighbours; empty for MPI's own function

  bool has_no_slots_yet() const { return slot_tau_seconds && *slot_tau_seconds <= 0; }

  bool operator==(const AlltoallCandidate& other) const {
    return std::tie(method, backend, sync, window_steps, ports, vector_method, neighbour_method) ==
           std::tie(other.method, other.backend, other.sync, other.window_steps, other.ports,
                    other.vector_method, other.neighbour_method);
  }
};

/// The method that sends all messages at once, and the candidate that is MPI's own all-to-all.
inline const ExchangeMethod linear_method{ExchangeAlgorithm::linear, {}};
inline const AlltoallCandidate mpi_candidate{std::nullopt, 0, Backend::mpi};

/// The candidates for the calls of one class. If round_count is 0, a rule has decided, whose reason is given: calls use
/// the last candidate, and the others where processes have no memory for it. Otherwise calls measure the candidates in
/// so many rounds at least.
struct Decision {
  std::vector<AlltoallCandidate> candidates;
  std::size_t round_count = 0;
  std::string reason = {};

  static Decision by_rule(AlltoallCandidate candidate, std::string reason) {
    return {{std::move(candidate)}, 0, std::move(reason)};
  }

  /// Returns whether all calls are left to MPI's own all-to-all.
  bool is_mpi_alone() const { return candidates.size() == 1 && candidates.front().backend == Backend::mpi; }
};

/// Returns the name of a candidate: that of the method of vectors or of neighbours, or `direct`, `direct by data`,
/// `direct with 16 steps ahead`, `direct at once on all ports`, `direct by size`, `direct between nodes` or `direct
/// between slots`.
CUBEFOLD_API std::string to_string(const AlltoallCandidate& candidate);

/// Returns the candidate for blocks of all ranks with this name. Throws std::invalid_argument if there is none.
CUBEFOLD_API AlltoallCandidate parse_candidate(const std::string& name);

}  // namespace cubefold
