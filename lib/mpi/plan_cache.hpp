#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

class AlltoallChooser;

/// The all-to-all plans of one set of processes, which share one context. A plan is made when blocks of its size are
/// exchanged for the first time. The plans of the most_sizes sizes that were used last are kept. The plans of other
/// sizes are freed as soon as no request keeps them, and are made again when they are needed.
///
/// The choice for a block size follows these rules:
/// - The environment variable CUBEFOLD_ALLTOALL names a method, as `direct` or `bruck:4`, or `mpi`, and overrides the
///   other rules. A method that does not fit these processes is ignored, and explain() reports this.
/// - On one host, and on several hosts with more than 64 processes and without a machine file, the choice is MPI's own
///   all-to-all. Without a machine file it is the choice also if CUBEFOLD_TRIALS is 0.
/// - Otherwise trials decide. They compare the best methods of the planner, which uses the machine file or typical
///   constants, with MPI's own all-to-all. Each runs CUBEFOLD_TRIALS times (3 if unset, at most 1000), and more often
///   if the exchanges are short. The fastest is taken for all sizes between the same two powers of two.
/// - The planner's choice is taken without trials if CUBEFOLD_TRIALS is 0, if the trials are predicted to take more
///   than 3 s, if there is no memory for them, and for blocks of 0 bytes or above 2^31 - 1 bytes.
class CUBEFOLD_API PlanCache {
 public:
  static constexpr std::size_t most_sizes = 256;

  /// Collective: duplicates the communicator, and reads the machine file. `comm` must outlive this object. Throws
  /// std::invalid_argument on all processes for a machine file that does not fit, and for invalid values of
  /// CUBEFOLD_ALLTOALL and CUBEFOLD_TRIALS.
  explicit PlanCache(const VirtualComm& comm);

  /// Collective: duplicates the communicator, and uses the given machine, or none, instead of the machine file. This is
  /// for a part of the processes for which the machine file was made (on_axes()). The machine must be the same on all
  /// processes. Throws as the other constructor.
  PlanCache(const VirtualComm& comm, const std::optional<Machine>& machine);
  ~PlanCache();

  /// Returns the context that all these exchanges share.
  CommContext& context() const { return *context_; }

  /// These return the plan for blocks of this size, or for blocks of unequal sizes. All processes must call them. They
  /// communicate only if there is no plan yet, after completing all exchanges that are under way; for_blocks() always
  /// does so with CUBEFOLD_CHECK. They throw as AlltoallPlan::make(). With CUBEFOLD_CHECK, for_blocks() also throws
  /// std::invalid_argument on all processes if their block sizes differ. Costs O(1) for the size that was used last,
  /// and O(most_sizes) for other sizes that are kept.
  std::shared_ptr<AlltoallPlan> for_blocks(std::size_t block_bytes);
  std::shared_ptr<AlltoallPlan> for_unequal_blocks();

  /// Collective: returns a text about the choices of for_blocks() and for_unequal_blocks().
  std::string explain(std::size_t block_bytes);
  /// Collective: returns a text about the choice of for_blocks().
  std::string explain_equal(std::size_t block_bytes);

 private:
  struct SizedPlan {
    std::size_t block_bytes;
    std::shared_ptr<AlltoallPlan> plan;
    std::string text;  ///< the reason for the choice
  };

  void make_chooser(const std::optional<Machine>& machine);
  const SizedPlan& find_or_make(std::size_t block_bytes);
  std::shared_ptr<AlltoallPlan> plan_of(const AlltoallSetup& setup);
  std::string text_for(std::size_t block_bytes) const;

  const VirtualComm* comm_;
  std::shared_ptr<CommContext> context_;
  std::unique_ptr<AlltoallChooser> chooser_;
  std::list<SizedPlan> recent_;  ///< the size that was used last comes first
  std::shared_ptr<AlltoallPlan> unequal_;
};

}  // namespace cubefold::mpi
