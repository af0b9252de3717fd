#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "candidate_trials.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"

namespace cubefold::mpi {

/// An exchange of blocks of one size, for which a program's own calls show the fastest way. While candidates are
/// measured, every call first waits for all processes to begin it; afterwards calls behave as those of AlltoallPlan and
/// throw as they do.
class CUBEFOLD_API TunedAlltoall {
 public:
  /// An exchange that a rule has decided.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<AlltoallPlan> plan, std::string text);

  /// An exchange that is measured. The trials are shared with other block sizes. What `make_plan` refers to must
  /// outlive this object.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<CommContext> context,
                std::shared_ptr<CandidateTrials> blocking, std::shared_ptr<CandidateTrials> overlapped,
                const CandidatePlans::MakePlan& make_plan);

  void run(const Sides& sides);
  void run_packets(const PacketCalls& calls);

  /// Collective: exchanges blocks of zeros until a candidate for blocking calls is chosen. Takes 2 p blocks of memory;
  /// if a process has none, nothing is measured.
  void choose_ahead();

  /// Binds buffers to a request, which only start() below may start.
  std::unique_ptr<AlltoallRequest> prepare(const Sides& sides);
  void start(AlltoallRequest& request);

  /// Returns whether the next call of this kind is measured. Does not communicate.
  bool is_measuring(CallKind kind) const;

  /// Returns whether blocking calls are, and stay, calls of MPI's own all-to-all. Does not communicate, and returns the
  /// same on all processes.
  bool uses_mpi() const { return blocking_.chosen() && blocking_.chosen()->setup().backend == Backend::mpi; }

  /// Returns the trials of calls of this kind, or null if a rule has decided. Does not communicate.
  const CandidateTrials* trials(CallKind kind) const { return of(kind).trials().get(); }

  /// Returns the medians of measured blocking calls, as Tuner::medians() does, or nothing if a rule has
  /// decided. Does not communicate.
  std::optional<MedianSeconds> medians() const;

  /// Returns the state of the measurements for calls of this kind, as far as all processes know it, or an empty text if
  /// a rule has decided. Does not communicate.
  std::string state(CallKind kind) const;

  /// Returns whether packets are not known to be slower than the blocking exchange: they use neither MPI's own
  /// all-to-all nor exchanges between nodes. Does not communicate.
  bool suits_packets() const;

  /// Collective: agrees on the times of the last measured calls, so that explain() knows them.
  void record_last_times();

  /// Returns a text about the choice and its reason, of one or more lines. Does not communicate.
  std::string explain() const;

  std::size_t block_bytes() const { return block_bytes_; }

  /// Returns the plan with this setup, if calls have used one, or null. Does not communicate.
  std::shared_ptr<AlltoallPlan> find_plan(const AlltoallSetup& setup) const;

  /// Collective: returns the plan of the blocking calls that are not measured.
  const AlltoallPlan& plan_in_use() { return *blocking_.plan_in_use(); }

 private:
  const CandidatePlans& of(CallKind kind) const {
    return kind == CallKind::blocking ? blocking_ : overlapped_;
  }
  template <typename Reserve>
  CandidatePlans::Call next_call(CandidatePlans& plans, Reserve reserve);
  template <typename Work>
  void call(CandidatePlans& plans, const PacketCalls* packets, Work work);

  std::size_t block_bytes_;
  std::shared_ptr<CommContext> context_;
  CandidatePlans blocking_;
  CandidatePlans overlapped_;
  std::string text_;
};

}  // namespace cubefold::mpi
