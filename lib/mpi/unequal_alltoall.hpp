#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "alltoall_request.hpp"
#include "blocks.hpp"
#include "candidate_trials.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"

namespace cubefold::mpi {

/// The all-to-all of blocks of unequal sizes. Every call reduces the sizes of all processes in one small reduction, by
/// which all find the class of the call and the same candidate. If a process has no memory for a candidate, it is left
/// out for the calls of that class.
class CUBEFOLD_API UnequalAlltoall {
 public:
  /// Returns the decision for calls with such sizes.
  using Decide = std::function<Decision(const ExchangeSizes&)>;

  /// `rule` is a line about the decisions. What the functions refer to must outlive this object.
  UnequalAlltoall(std::shared_ptr<CommContext> context, Rank rank, Decide decide,
                  CandidatePlans::MakePlan make_plan, std::string rule);

  /// Collective: performs MPI_Alltoallv between virtual ranks. It first completes all exchanges that are under way on
  /// the context. Throws std::invalid_argument on all processes for counts below 0, for null types, and if the block of
  /// a process for itself has different sizes on the two sides. With CUBEFOLD_CHECK it also throws
  /// std::invalid_argument on all processes if a process sends a size that the receiver does not expect. Without
  /// CUBEFOLD_CHECK this is an Error when the bytes arrive.
  void run(Sides sides);

  /// Collective: binds buffers to a request that is started by its own start(). Its exchange waits for no other
  /// process, so nothing is agreed on: it uses the steps of a candidate that needs no sizes, and CUBEFOLD_CHECK
  /// compares none. Communicates only if there is no plan yet. Throws as AlltoallPlan::prepare().
  std::unique_ptr<AlltoallRequest> prepare(const Sides& sides);

  /// Returns whether no candidate is chosen yet for sizes as those of the last call. Does not communicate.
  bool is_measuring() const { return last_ && !last_->tuner().is_decided(); }

  /// Returns whether all calls are calls of MPI_Alltoallv. Does not communicate.
  bool uses_mpi() const { return uses_mpi_; }

  /// Returns the candidate of the last call, or nothing before the first call. Does not communicate.
  const std::optional<AlltoallCandidate>& last_candidate() const { return last_candidate_; }

  /// Returns the plan with this setup, if calls use one, or null. Does not communicate.
  std::shared_ptr<AlltoallPlan> find_plan(const AlltoallSetup& setup) const;

  /// Returns a line that says how blocks are exchanged, how they were the last time, and why. Does not communicate.
  std::string explain() const;

 private:
  /// The sizes of a call over all processes.
  struct Sizes : ExchangeSizes {
    bool need_memory;  ///< whether a plan needs memory for these blocks on any process
  };

  void run_here(Sides& sides);
  Sizes own_sizes(const Sides& sides) const;
  void agree_on_sizes(Sizes& sizes, const std::optional<Failure>& failure);
  void require_matching(const Sides& sides) const;
  CandidatePlans& plans_for(const Sizes& sizes);

  std::shared_ptr<CommContext> context_;
  Rank rank_;
  Decide decide_;
  CandidatePlans::MakePlan make_plan_;
  std::string rule_;
  bool uses_mpi_;
  std::map<CallClass, CandidatePlans> plans_;
  std::shared_ptr<AlltoallPlan> overlapped_;  ///< of requests, null before the first one
  std::shared_ptr<CandidateTrials> last_;     ///< of the last call
  std::optional<AlltoallCandidate> last_candidate_;
  ExchangeSizes last_sizes_{};
};

}  // namespace cubefold::mpi
