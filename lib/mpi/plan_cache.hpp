#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"
#include "job_files.hpp"
#include "node_groups.hpp"
#include "plan/alltoall_choice.hpp"
#include "tuned_alltoall.hpp"
#include "unequal_alltoall.hpp"
#include "verbose.hpp"

namespace cubefold::mpi {

/// The all-to-all exchanges of one set of processes, which share one context. The exchanges of the most_sizes block
/// sizes that were used last are kept. Those of other sizes are freed as soon as no request keeps them, and are made
/// again when they are needed.
/// AlltoallChooser decides how blocks are exchanged.
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

  /// These return the exchange of blocks of this size, or that of blocks of unequal sizes. All processes must call
  /// them. They communicate only if there is none yet, after completing all exchanges that are under way; for_blocks()
  /// always does so with CUBEFOLD_CHECK. They throw as AlltoallPlan::make(). With CUBEFOLD_CHECK, for_blocks() also
  /// throws std::invalid_argument on all processes if their block sizes differ. Costs O(1) for the size that was used
  /// last, and O(most_sizes) for other sizes that are kept. The exchanges must not be used after this object.
  std::shared_ptr<TunedAlltoall> for_blocks(std::size_t block_bytes);
  std::shared_ptr<UnequalAlltoall> for_unequal_blocks();

  /// Collective: makes the communicators and the shared memory of exchanges between nodes with several ranks, unless
  /// they are there. Later exchanges make no communicators then. Requires that ranks share nodes. Throws on all
  /// processes.
  void make_groups();

  /// Collective: returns a text about the choices of for_blocks() and for_unequal_blocks().
  std::string explain(std::size_t block_bytes);

  /// Returns a text about the choice of an exchange that for_blocks() has returned. Does not communicate, so it may not
  /// know the last measured call.
  std::string text_for(const TunedAlltoall& exchange) const;

 private:
  std::string text_of_choices() const;
  void make_chooser(const std::optional<Machine>& machine);
  std::shared_ptr<TunedAlltoall> make_exchange(std::size_t block_bytes);
  std::shared_ptr<CandidateTrials> make_trials(CallKind kind, std::size_t block_bytes,
                                               Decision decision) const;
  std::shared_ptr<AlltoallPlan> plan_of(const AlltoallCandidate& candidate, std::size_t block_bytes);

  const VirtualComm* comm_;
  std::string name_;  ///< of the processes, in the store
  std::shared_ptr<CommContext> context_;
  std::unique_ptr<AlltoallChooser> chooser_;
  std::shared_ptr<NodeGroups> groups_;  ///< made by make_groups()
  std::shared_ptr<TuningStore> store_;
  std::list<std::shared_ptr<TunedAlltoall>> recent_;              ///< the size that was used last comes first
  std::map<CallClass, std::shared_ptr<CandidateTrials>> trials_;  ///< of blocks of one size
  std::shared_ptr<UnequalAlltoall> unequal_;
  EndReport report_{[this] { return text_of_choices(); }};  ///< it comes last, since it refers to all others
};

}  // namespace cubefold::mpi
