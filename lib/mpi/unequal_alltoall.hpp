#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "blocks.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "mover_mpi.hpp"
#include "mover_nodes.hpp"
#include "node_groups.hpp"
#include "plan/alltoall_setup.hpp"
#include "plan/unequal_tuning.hpp"

namespace cubefold::mpi {

/// The all-to-all of blocks of unequal sizes over virtual ranks.
///
/// Every call reduces the sizes of all processes in one small reduction, and UnequalTuning chooses the backend. An
/// exchange by size needs all p^2 sizes on every process, 4 bytes each. They are gathered when any of them has changed
/// since the last exchange by size. If a process has no memory for such a plan, all use UnequalBackend::wide. An
/// exchange between nodes needs packed copies of blocks that are not dense or are exchanged in place. If a process has
/// no memory for them, all use UnequalBackend::mpi, or UnequalBackend::narrow for blocks that MPI cannot count.
class CUBEFOLD_API UnequalAlltoall {
 public:
  /// Collective: makes the exchange. Throws as AlltoallPlan::make(), and std::invalid_argument on all processes if the
  /// method forwards blocks. UnequalBackend::nodes needs `groups` on the same context.
  static std::shared_ptr<UnequalAlltoall> make(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                               UnequalSetup setup,
                                               const std::shared_ptr<NodeGroups>& groups = nullptr);

  /// Collective: performs MPI_Alltoallv between virtual ranks. It first completes all exchanges that are under way on
  /// the context. Throws std::invalid_argument on all processes for counts below 0, for null types, and if the block of
  /// a process for itself has different sizes on the two sides. With CUBEFOLD_CHECK it also throws
  /// std::invalid_argument on all processes if a process sends a size that the receiver does not expect. Without
  /// CUBEFOLD_CHECK this is an Error when the bytes arrive.
  void run(Sides sides);

  /// Returns whether no backend is chosen yet for sizes as those of the last call. Does not communicate.
  bool is_measuring() const { return last_sizes_ && tuning_.is_measuring(*last_sizes_); }

  /// Returns whether all calls are calls of MPI_Alltoallv. Does not communicate.
  bool uses_mpi() const { return setup_.backends.size() == 1 && setup_.backends[0] == UnequalBackend::mpi; }

  const UnequalSetup& setup() const { return setup_; }

  /// Returns the backend of the last call, or nothing before the first call. Does not communicate.
  std::optional<UnequalBackend> last_backend() const {
    return last_sizes_ ? std::optional(last_backend_) : std::nullopt;
  }

  /// Returns a line that says how blocks are exchanged, how they were the last time, and why. Does not communicate.
  std::string explain() const;

 private:
  /// The sizes of a call over all processes.
  struct Sizes : UnequalSizes {
    bool are_new;     ///< whether any size differs from the last exchange by size
    bool are_packed;  ///< whether any process needs packed copies of its blocks
  };

  UnequalAlltoall(const VirtualComm& comm, std::shared_ptr<CommContext> context, UnequalSetup setup);

  void run_here(Sides& sides);
  Sizes own_sizes(const Sides& sides) const;
  void agree_on_sizes(Sizes& sizes, const std::optional<Failure>& failure);
  void require_matching(const Sides& sides) const;
  void exchange(UnequalBackend backend, const Sides& sides, const Sizes& sizes);
  bool has_memory_for_nodes(const Sides& sides, const Sizes& sizes);
  void plan_by_size(const Sides& sides);

  Placement placement_;
  Rank rank_;
  std::shared_ptr<CommContext> context_;
  UnequalSetup setup_;
  std::map<UnequalBackend, std::shared_ptr<AlltoallPlan>> plans_;
  std::unique_ptr<AlltoallRequest> request_;
  MpiMover mpi_;
  std::unique_ptr<NodeMover> nodes_;  ///< null without UnequalBackend::nodes
  bool all_have_tables_ = false;      ///< whether nodes_->reserve() has succeeded on all processes
  /// The sizes of the blocks that this process sent in the last exchange by size.
  std::vector<std::uint32_t> sizes_by_size_;
  UnequalTuning tuning_;
  std::optional<Sizes> last_sizes_;
  UnequalBackend last_backend_ = UnequalBackend::narrow;
};

}  // namespace cubefold::mpi
