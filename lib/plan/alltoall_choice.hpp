#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "alltoall_setup.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "job_facts.hpp"

namespace cubefold {

/// Calls that exchange blocks. Blocking calls with blocks of one size or of unequal sizes may use MPI's own all-to-all;
/// requests and packets, whose exchanges overlap with other work, always use a schedule.
enum class CallKind : std::uint8_t { blocking, overlapped, unequal };

CUBEFOLD_API const char* to_string(CallKind kind);

/// The sizes of the blocks of an exchange, over all its processes.
struct ExchangeSizes {
  std::uint64_t largest_bytes;  ///< of one block that travels to another rank
  std::uint64_t process_bytes;  ///< most bytes that one process sends or receives, with the block for itself
  std::uint64_t sent_bytes;     ///< most bytes that one process sends, with the block for itself
};

/// Calls for which one choice holds. Those with blocks of one size are of one class if the size has the same bit width.
/// Those with blocks of unequal sizes are if their largest_bytes and process_bytes have the same bit widths, and if the
/// blocks of both or of neither may travel at once: if sent_bytes has at most one bit more than largest_bytes, and
/// process_bytes at most three. Every process then sends fewer than 4 of the longest blocks and receives fewer than 16.
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

/// One way to exchange blocks. Candidates are equal whatever is predicted.
struct AlltoallCandidate {
  std::optional<ExchangeMethod> method;         ///< empty for MPI's own all-to-all
  double predicted_seconds = 0;                 ///< 0 without a machine file, whose times alone are reliable
  Backend backend = Backend::schedule;          ///< what uses the method, or Backend::mpi
  std::optional<StepSync> sync = std::nullopt;  ///< in place of the planner's synchronisation
  std::optional<std::size_t> window_steps =
      std::nullopt;  ///< steps without the clock, and this window of them

  bool operator==(const AlltoallCandidate& other) const {
    return std::tie(method, backend, sync, window_steps) ==
           std::tie(other.method, other.backend, other.sync, other.window_steps);
  }
};

/// The candidates for the calls of one class. If round_count is 0, a rule has decided, whose reason is given: calls use
/// the last candidate, and the others where processes have no memory for it. Otherwise calls measure the candidates in
/// so many rounds at least.
struct Decision {
  std::vector<AlltoallCandidate> candidates;
  std::size_t round_count = 0;
  std::string reason = {};

  /// Returns whether all calls are left to MPI's own all-to-all.
  bool is_mpi_alone() const { return candidates.size() == 1 && candidates.front().backend == Backend::mpi; }
};

/// Returns the name of a candidate, as `direct`, `direct by data`, `direct with 16 steps ahead`, `direct by size`,
/// `direct between nodes` or `direct between slots`.
CUBEFOLD_API std::string to_string(const AlltoallCandidate& candidate);

/// Returns the candidate with this name. Throws std::invalid_argument if there is none.
CUBEFOLD_API AlltoallCandidate parse_candidate(const std::string& name);

/// Decides how blocks are exchanged. It is a value and does not communicate: equal facts give the same decisions on all
/// processes.
///
/// The decision for blocks of one size follows these rules:
/// - The environment variable CUBEFOLD_ALLTOALL names a method, as `direct` or `bruck:4`, or `mpi`, and overrides the
///   other rules. A method that does not fit these processes is ignored, and explain() reports this.
/// - Between nodes with several ranks, `nodes:direct` and the like name the exchange of the nodes' leaders, and
///   `slots:direct` and the like that of the ranks of each slot.
/// - If nothing is known of the network, the choice is MPI's own all-to-all. MPI also serves blocks of 0 bytes, and,
///   where ranks share nodes, those above 2^31 - 1 bytes.
/// - On one host the choice is MPI's own all-to-all, and also without a machine file if CUBEFOLD_TRIALS is 0. With a
///   machine file and CUBEFOLD_TRIALS=0 it is the fastest of the planner's choice, MPI's own all-to-all and `linear` by
///   the times of the file. If the file has none of the latter two, it is the planner's choice if that is predicted to
///   take at most 1.2 times the lower bound, and MPI's own all-to-all otherwise.
/// - For blocks of 0 bytes or above 2^31 - 1 bytes it is the planner's choice.
/// - Otherwise the program's own calls decide, as ExchangeTuning describes. They compare MPI's own all-to-all, `linear`
///   and the best methods of the planner, which uses the machine file or typical constants. The least number of counted
///   rounds is CUBEFOLD_TRIALS (3 if unset, at most 1000). The fastest is taken for all sizes between the same two
///   powers of two, and kept in the file that CUBEFOLD_TUNING names, if it is set.
class CUBEFOLD_API AlltoallChooser {
 public:
  static constexpr std::size_t most_ranks_by_size = 128;

  /// Costs a plan of the requested method, if there is one.
  explicit AlltoallChooser(JobFacts facts);

  /// Returns the decision for calls of a kind with blocks of these sizes, and others of their class. Candidates for
  /// blocks of one size are MPI's own all-to-all, `linear` and the methods of measured_methods(). If ranks share nodes,
  /// these are methods between nodes. Overlapped calls use neither MPI's own all-to-all nor methods between nodes.
  /// `direct` is a candidate with both synchronisations if ExchangeCandidate::other_sync is set.
  ///
  /// Candidates for unequal blocks are MPI's own all-to-all, `linear`, which suits processes that send little but one
  /// long block each, and the steps of `direct` with a window of 4 or of 16, which suits short blocks and long queues;
  /// with a machine file, those at the times of schedule_by_size() too; and if ranks share nodes, MPI's own all-to-all
  /// and `direct` between nodes. Blocks travel by size between up to most_ranks_by_size ranks, if they are shorter than
  /// 2^31 bytes, and if the p^2 sizes, 4 bytes each, have at most a quarter of the least process_bytes of the class.
  Decision decide(CallKind kind, const ExchangeSizes& sizes) const;

  /// Returns whether MPI's own all-to-all is the decision for all blocking calls, whatever their sizes.
  bool leaves_all_to_mpi() const;

  /// Returns a line about the decisions for blocks of unequal sizes.
  std::string rule_for_unequal_blocks() const;

  /// Returns the setup of a candidate for blocks of about this size.
  AlltoallSetup setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const;

  /// Returns the reason why CUBEFOLD_ALLTOALL is ignored, or an empty text if it is not set or not ignored.
  const std::string& refusal() const { return refusal_; }

  /// The size of the blocks for which exchanges of blocks of unequal sizes are planned.
  static constexpr std::size_t typical_bytes = 64 << 10;

 private:
  /// A candidate, and the reason of the rule that has decided for it.
  struct Choice {
    AlltoallCandidate candidate;
    std::string reason;
  };

  std::optional<Choice> mpi_for_all_sizes() const;
  std::optional<Choice> decided(std::size_t block_bytes) const;
  Choice requested(const ExchangeMethod& method, std::size_t block_bytes) const;
  Choice between_nodes_by(const AlltoallCandidate& candidate, std::size_t block_bytes) const;
  ExchangePlan plan_on(const Placement& placement, std::size_t block_bytes,
                       const ExchangePlanOptions& options) const;
  Choice planned(std::size_t block_bytes, const ExchangePlanOptions& options, std::string_view reason) const;
  Choice unmeasured(std::size_t block_bytes) const;
  bool has_times(const ExchangePlan& plan) const;
  AlltoallSetup setup_of(const ExchangePlan& plan, const AlltoallCandidate& candidate) const;
  std::vector<AlltoallCandidate> candidates(std::size_t block_bytes, CallKind kind) const;
  std::vector<AlltoallCandidate> best_methods(const Placement& placement, std::size_t block_bytes,
                                              std::size_t count_of_a_model) const;
  std::vector<AlltoallCandidate> between_nodes(std::size_t block_bytes) const;
  std::optional<std::size_t> bytes_between_nodes(std::size_t block_bytes) const;
  Decision for_unequal_blocks() const;
  Decision for_unequal_blocks_on_shared_nodes(const std::optional<Choice>& choice) const;
  bool fits(const AlltoallCandidate& candidate, const CallClass& calls) const;
  ExchangeModel model() const;
  ExchangeModel model_without_times() const;

  const NodeSharing& sharing() const { return *facts_.sharing; }
  const Placement& groups() const { return facts_.sharing->groups(); }

  JobFacts facts_;
  std::string refusal_;
};

}  // namespace cubefold
