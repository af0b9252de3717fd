#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alltoall_candidate.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "exchange_setups.hpp"
#include "job_facts.hpp"

namespace cubefold {

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
///   machine file that has times of MPI's own all-to-all and of `linear`, it is the fastest of the planner's choice and
///   these two, unless CUBEFOLD_TRIALS asks for measured calls. If the file has no such times and CUBEFOLD_TRIALS is 0,
///   it is the planner's choice if that is predicted to take at most 1.2 times the lower bound, and otherwise MPI's own
///   all-to-all.
/// - For blocks of 0 bytes or above 2^31 - 1 bytes it is the planner's choice.
/// - Otherwise the program's own calls decide, as ExchangeTuning describes. They compare MPI's own all-to-all, `linear`
///   and the best methods of the planner, which uses the machine file or typical constants. The least number of counted
///   calls of each is CUBEFOLD_TRIALS (3 if unset, at most 1000). The fastest is taken for all sizes between the same
///   two powers of two, and kept in the file that CUBEFOLD_TUNING names, if it is set.
class CUBEFOLD_API AlltoallChooser {
 public:
  /// Costs a plan of the requested method, if there is one.
  explicit AlltoallChooser(JobFacts job);

  /// Returns the decision for calls of a kind with blocks of these sizes, and others of their class. Candidates for
  /// blocks of one size are MPI's own all-to-all, `linear` and the methods of measured_methods(). If ranks share nodes,
  /// these are methods between nodes. Overlapped calls use neither MPI's own all-to-all nor methods between nodes.
  /// `direct` is a candidate with both synchronisations if ExchangeCandidate::other_sync is set. Where neither a
  /// machine file nor the user tells of times and queues, `direct` at once and by the clock are candidates, in the
  /// order of one port and of all ports.
  ///
  /// Candidates for unequal blocks are MPI's own all-to-all, `linear`, which suits processes that send little but one
  /// long block each, and the steps of `direct` with a window of 4 or of 16, which suits short blocks and long queues;
  /// with a machine file, those at the times of schedule_by_size() too; and if ranks share nodes, MPI's own all-to-all
  /// and `direct` between nodes. Blocks travel by size between up to most_ranks_by_size ranks, if they are shorter than
  /// 2^31 bytes, and if the p^2 sizes, 4 bytes each, have at most a quarter of the least process_bytes of the class.
  ///
  /// Candidates for blocks of several datatypes are MPI's own all-to-all and steps of `direct` with a window of 4, of
  /// 16 or without one, for which no process has to know the sizes of others; and if ranks share nodes and unequal
  /// blocks may travel between these, MPI's own all-to-all and `linear` at once.
  Decision decide(CallKind kind, const ExchangeSizes& sizes) const;

  /// Returns whether MPI's own all-to-all is the decision for all blocking calls, whatever their sizes.
  bool leaves_all_to_mpi() const;

  /// Returns a line about the decisions for blocks of unequal sizes or of several datatypes.
  std::string rule_for(CallKind kind) const;

  /// Returns the setup of a candidate for blocks of about this size. Plans it, unless the decision has.
  AlltoallSetup setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const;

  /// Returns the reason why CUBEFOLD_ALLTOALL is ignored, or an empty text if it is not set or not ignored.
  const std::string& refusal() const { return refusal_; }

  /// The size of the blocks for which exchanges of blocks of unequal sizes are planned.
  static constexpr std::size_t typical_bytes = 64 << 10;

 private:
  std::optional<Decision> mpi_for_all_sizes() const;
  std::optional<Decision> decided(std::size_t block_bytes) const;
  Decision requested(std::size_t block_bytes) const;
  Decision requested_between_nodes(std::size_t block_bytes) const;
  Decision between_nodes_by(const AlltoallCandidate& candidate, std::size_t block_bytes) const;
  Decision planned(const ExchangePlan& plan, std::string_view reason) const;
  std::vector<AlltoallCandidate> candidates(std::size_t block_bytes, CallKind kind) const;
  std::vector<AlltoallCandidate> best_methods(const Placement& placement, std::size_t block_bytes,
                                              std::size_t count_of_a_model) const;
  std::vector<AlltoallCandidate> direct_without_times(std::size_t block_bytes) const;
  bool knows_no_times() const;
  std::vector<AlltoallCandidate> between_nodes(std::size_t block_bytes) const;
  std::optional<std::size_t> bytes_between_nodes(std::size_t block_bytes) const;
  Decision for_several_sizes(CallKind kind) const;

  const JobFacts& facts() const { return setups_.facts(); }
  const NodeSharing& sharing() const { return *facts().sharing; }
  const Placement& groups() const { return facts().sharing->groups(); }

  ExchangeSetups setups_;
  std::optional<ExchangePlan>
      requested_;  ///< of the method that CUBEFOLD_ALLTOALL names, unless it is between nodes
  std::string refusal_;
};

}  // namespace cubefold
