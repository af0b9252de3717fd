#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/mpi/comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

class AlltoallChooser;

/// The all-to-all plans of one set of processes, which all share one context. A plan is made when blocks of its size
/// are exchanged for the first time. The plans of the most_sizes sizes that were used last are kept; those of other
/// sizes are freed as soon as no request keeps them, and made again when they are needed.
///
/// On several hosts the planner chooses, with a machine file; without one, trials do, of up to 64 processes. On one
/// host, whose memory all processes share, and on more hosts that nothing is known of, MPI's own all-to-all does no
/// worse. The environment variable CUBEFOLD_ALLTOALL overrides it: a method, as `direct` or `bruck:4`, or `mpi`; a
/// method that does not fit these processes is left out, and explain() says so. The methods that the planner thinks
/// best and MPI's own all-to-all run CUBEFOLD_TRIALS times each, 3 if it is not set and 1000 at most, where that takes
/// no longer than seconds, and more often where they are short; the fastest is taken for all sizes between the same two
/// powers of two, and the others are freed. Where there is no memory for trials, or blocks are longer than 2 GiB, the
/// planner's choice is taken without.
class CUBEFOLD_API PlanCache {
 public:
  static constexpr std::size_t most_sizes = 256;

  /// Collective: duplicates the communicator, and reads the machine file. `comm` lives as long as this. Throws
  /// std::invalid_argument on all processes alike for a machine file that does not fit, and for what CUBEFOLD_ALLTOALL
  /// may not be.
  explicit PlanCache(const VirtualComm& comm);

  /// The same, but on this machine, or one that nothing is known of, whatever the environment says: for processes that
  /// are part of those that the machine file was made for (on_axes()). The machine is the same on all processes.
  PlanCache(const VirtualComm& comm, const std::optional<Machine>& machine);
  ~PlanCache();

  /// Returns what all these exchanges share.
  CommContext& context() const { return *context_; }

  /// Collective where it plans, which first waits for all that is under way, and always under CUBEFOLD_CHECK. Throws as
  /// AlltoallPlan::make(), and under CUBEFOLD_CHECK on all processes for block sizes that differ between them. O(1)
  /// for the size that was used last, O(most_sizes) for others that are kept.
  std::shared_ptr<AlltoallPlan> for_blocks(std::size_t block_bytes);
  std::shared_ptr<AlltoallPlan> for_unequal_blocks();

  /// Says for people what for_blocks() chooses and what for_unequal_blocks() does. Collective as they are.
  std::string explain(std::size_t block_bytes);
  std::string explain_equal(std::size_t block_bytes);  ///< the former alone

 private:
  struct SizedPlan {
    std::size_t block_bytes;
    std::shared_ptr<AlltoallPlan> plan;
    std::string text;  ///< why it was chosen
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
