#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"
#include "exchange.hpp"
#include "job_files.hpp"
#include "node_groups.hpp"
#include "plan/alltoall_choice.hpp"
#include "plan/job_facts.hpp"
#include "vector_plans.hpp"
#include "verbose.hpp"

namespace cubefold::mpi {

/// Collective on the context: finds the hosts of the processes and reads CUBEFOLD_ALLTOALL and CUBEFOLD_TRIALS of
/// process 0, which hints of the communicator replace. With a machine, the number of hosts is that of the machine.
/// Throws std::invalid_argument on all processes for invalid values of the variables.
CUBEFOLD_API JobFacts job_facts(const VirtualComm& comm, const CommContext& context,
                                const std::optional<Machine>& machine);

/// The all-to-all exchanges of one set of processes, which share one context. The most_sizes exchanges that were used
/// last are kept. Those of other block sizes are freed as soon as no request keeps them, and are made again when they
/// are needed. AlltoallChooser decides how blocks are exchanged.
class CUBEFOLD_API PlanCache {
 public:
  static constexpr std::size_t most_sizes = 256;

  /// Collective: duplicates the communicator, and reads the machine file and the tuning file. `comm` must outlive this
  /// object. Throws std::invalid_argument on all processes for a file that does not fit, and for invalid values of
  /// CUBEFOLD_ALLTOALL and CUBEFOLD_TRIALS.
  explicit PlanCache(const VirtualComm& comm);

  /// Collective: duplicates the communicator, and uses the given machine and store, or none, instead of the files. This
  /// is for a part of the processes for which the files were made (on_axes()), which `name` tells from other parts in
  /// the store. The machine must be the same on all processes. Throws as the other constructor.
  PlanCache(const VirtualComm& comm, const std::optional<Machine>& machine,
            std::shared_ptr<TuningStore> store = nullptr, std::string name = "");

  /// Makes the exchanges of processes of which all is known, on a context whose ranks are the virtual ranks. Each
  /// process must pass the same facts. Does not communicate.
  PlanCache(const VirtualComm& comm, std::shared_ptr<CommContext> context, JobFacts facts,
            std::shared_ptr<TuningStore> store);
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;
  ~PlanCache();

  /// Returns the context that all these exchanges share.
  CommContext& context() const { return *context_; }

  /// Returns the exchange of blocks of this size, or of unequal sizes if there is none. All processes must
  /// call this. It communicates only if there is none yet, after completing all exchanges that are under way; for
  /// blocks of one size it always does so with CUBEFOLD_CHECK, and throws std::invalid_argument on all processes if
  /// their block sizes differ. Throws as AlltoallPlan::make(). Costs O(1) for the exchange that was used last, and
  /// O(most_sizes) for others that are kept. The exchanges must not be used after this object.
  std::shared_ptr<Exchange> for_blocks(std::optional<std::size_t> block_bytes);

  /// Returns the exchange of blocks of several datatypes, as for_blocks() does.
  std::shared_ptr<Exchange> for_typed_blocks();

  /// Returns the exchange of the blocks of a call.
  std::shared_ptr<Exchange> for_call(const Sides& sides) {
    return sides.form() == BlockForm::typed ? for_typed_blocks() : for_blocks(sides.block_bytes());
  }

  /// Returns the plans by which the same processes reduce and gather vectors.
  VectorPlans& vectors() const { return *vectors_; }

  /// Returns what is known of the job.
  const JobFacts& facts() const { return *facts_; }

  /// Returns the context, which may outlive this object.
  const std::shared_ptr<CommContext>& shared_context() const { return context_; }

  /// Collective: makes the communicators and the shared memory of exchanges between nodes with several ranks, unless
  /// they are there. Later exchanges make no communicators then. Requires that ranks share nodes. Throws on all
  /// processes.
  void make_groups();

  /// Collective: returns a text about the choices for blocks of this size and of unequal sizes, and for vectors of as
  /// many bytes.
  std::string explain(std::size_t bytes);

  /// Returns a text about the choice of an exchange that for_blocks() has returned. Does not communicate, so it may not
  /// know the last measured call.
  std::string text_for(const Exchange& exchange) const;

 private:
  std::vector<CallChoice> choices() const;
  std::vector<const Exchange*> different_exchanges() const;
  void make_chooser(const std::optional<Machine>& machine);
  static std::string title_of(const Exchange& exchange);
  std::string reason_of(const Exchange& exchange) const;
  std::string text_of(const Exchange& exchange) const;
  std::shared_ptr<Exchange> make_exchange(CallKind kind, std::optional<std::size_t> block_bytes);
  std::shared_ptr<CandidateTrials> trials_for(CallKind kind, const ExchangeSizes& sizes);
  std::shared_ptr<AlltoallPlan> plan_of(const AlltoallCandidate& candidate, std::size_t block_bytes);

  const VirtualComm* comm_;
  std::string name_;  ///< of the processes, in the store
  std::shared_ptr<CommContext> context_;
  std::optional<JobFacts> facts_;
  std::unique_ptr<AlltoallChooser> chooser_;
  std::unique_ptr<VectorPlans> vectors_;
  std::shared_ptr<NodeGroups> groups_;  ///< made by make_groups()
  std::shared_ptr<TuningStore> store_;
  std::list<std::shared_ptr<Exchange>> recent_;                   ///< the one that was used last comes first
  std::shared_ptr<Exchange> typed_;                               ///< of blocks of several datatypes, or null
  std::map<CallClass, std::shared_ptr<CandidateTrials>> trials_;  ///< of measured calls
  EndReport report_{[this] { return choices(); }};  ///< it comes last, since it refers to all others
};

}  // namespace cubefold::mpi
