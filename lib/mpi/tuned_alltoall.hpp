#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "plan/alltoall_choice.hpp"
#include "plan/exchange_tuning.hpp"
#include "tuning_store.hpp"

namespace cubefold::mpi {

/// The medians of measured calls of the first candidate, which is MPI's own all-to-all for blocking calls, and of the
/// chosen one.
struct MedianSeconds {
  double first;
  double chosen;
};

/// The candidates and measurements for one form of calls and all block sizes of one bit width. Only calls with one size
/// are measured: that of the first call, or another one after most_others calls in a row with other sizes. Calls that
/// are not measured use the best candidate so far. A measured call first waits for all processes to begin it, when they
/// agree on the time of the measured call before it, which is that of its slowest process.
class CandidateTrials {
 public:
  static constexpr int most_others = 8;

  /// The candidate of a call, and a place for the call's time, or null if the call is not measured.
  struct NextCall {
    std::size_t candidate;
    std::shared_ptr<double> seconds;
  };

  /// Takes the choice of the store, if it has one for `exchange` that is among the candidates. `store` may be null.
  CandidateTrials(std::shared_ptr<CommContext> context, std::vector<AlltoallCandidate> candidates,
                  std::size_t round_count, TunedExchange exchange, std::shared_ptr<TuningStore> store);

  /// Collective: returns the candidate of the next call with blocks of this size. Unless a candidate is chosen, it
  /// first completes all exchanges that are under way if the call is measured or a measured call came before it.
  NextCall next(std::size_t block_bytes);

  /// Collective: agrees on the time of the last measured call. Returns whether there was one.
  bool record_last_time();

  /// Returns whether no further call is measured.
  bool is_decided() const { return tuning_.is_chosen(); }
  std::size_t best() const { return tuning_.best(); }

  /// Returns the medians of the measured calls, or nothing before the choice, or if the choice comes from the store.
  std::optional<MedianSeconds> medians() const;

  const std::vector<AlltoallCandidate>& candidates() const { return candidates_; }
  const ExchangeTuning& tuning() const { return tuning_; }

  /// Returns the block size of measured calls, or 0 before the first call.
  std::size_t measured_bytes() const { return block_bytes_; }

  /// Returns whether the choice comes from the store.
  bool is_of_earlier_run() const { return !origin_.empty(); }

  /// Leaves out a candidate for which a process has no memory, and returns the next one. All processes must call this
  /// alike. Requires another candidate.
  std::size_t leave_out(std::size_t candidate);

  /// Returns the state of the measurements, and where the choice comes from.
  std::string text() const;

  /// Returns whether the next call would be measured if it had blocks of this size. Does not communicate.
  bool measures(std::size_t block_bytes) const {
    return !is_decided() && (block_bytes_ == 0 || block_bytes == block_bytes_);
  }

 private:
  void note_size(std::size_t block_bytes);

  std::shared_ptr<CommContext> context_;
  std::vector<AlltoallCandidate> candidates_;
  ExchangeTuning tuning_;
  std::size_t block_bytes_ = 0;  ///< size of measured calls, or 0 before the first call
  int others_ = 0;               ///< calls with other sizes since the last call with that size
  TunedExchange exchange_;
  std::shared_ptr<TuningStore> store_;
  /// Time of the measured call that processes have not agreed on, which is infinite until that call has succeeded.
  std::shared_ptr<double> pending_seconds_;
  bool is_pending_ = false;
  std::string origin_;  ///< says where a choice comes from that was not measured in this run
};

/// An exchange of blocks of one size, for which a program's own calls show the fastest way. While candidates are
/// measured, every call first waits for all processes to begin it; afterwards calls behave as those of AlltoallPlan and
/// throw as they do.
class CUBEFOLD_API TunedAlltoall {
 public:
  /// Collective: returns a plan for the block size of this exchange.
  using MakePlan = std::function<std::shared_ptr<AlltoallPlan>(const AlltoallCandidate&)>;

  /// An exchange that a rule has decided.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<AlltoallPlan> plan, std::string text);

  /// An exchange that is measured. The forms are shared with other block sizes. What `make_plan` refers to must outlive
  /// this object.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<CommContext> context,
                std::shared_ptr<CandidateTrials> blocking, std::shared_ptr<CandidateTrials> overlapped,
                MakePlan make_plan);

  void run(const Sides& sides);
  void run_packets(const PacketCalls& calls);

  /// Collective: exchanges blocks of zeros until a candidate for blocking calls is chosen. Takes 2 p blocks of memory;
  /// if a process has none, nothing is measured.
  void choose_ahead();

  /// Binds buffers to a request, which only start() below may start.
  std::unique_ptr<AlltoallRequest> prepare(const Sides& sides);
  void start(AlltoallRequest& request);

  /// Returns whether the next call of this form is measured. Does not communicate.
  bool is_measuring(CallKind form) const;

  /// Returns whether blocking calls are, and stay, calls of MPI's own all-to-all. Does not communicate, and returns the
  /// same on all processes.
  bool uses_mpi() const { return blocking_.chosen && blocking_.chosen->setup().backend == Backend::mpi; }

  /// Returns the measurements of calls of this form, or null if a rule has decided. Does not communicate.
  const CandidateTrials* measured(CallKind form) const { return of(form).measured.get(); }

  /// Returns the medians of measured blocking calls, as CandidateTrials::medians() does, or nothing if a rule has
  /// decided. Does not communicate.
  std::optional<MedianSeconds> medians() const;

  /// Returns the state of the measurements for calls of this form, as far as all processes know it, or an empty text if
  /// a rule has decided. Does not communicate.
  std::string state(CallKind form) const;

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
  const AlltoallPlan& plan_in_use() { return *plan_in_use(blocking_); }

 private:
  struct CandidatePlans {
    std::shared_ptr<CandidateTrials> measured;         ///< null if a rule has decided
    std::vector<std::shared_ptr<AlltoallPlan>> plans;  ///< of the candidates, null until they are used
    std::shared_ptr<AlltoallPlan> chosen;              ///< null until there is a choice
  };
  struct Call {
    std::shared_ptr<AlltoallPlan> plan;
    std::shared_ptr<double> seconds;
  };

  const CandidatePlans& of(CallKind form) const {
    return form == CallKind::blocking ? blocking_ : overlapped_;
  }
  std::shared_ptr<AlltoallPlan> plan_of(CandidatePlans& form, std::size_t candidate);
  std::shared_ptr<AlltoallPlan> plan_in_use(CandidatePlans& form);
  template <typename Reserve>
  Call next_call(CandidatePlans& form, Reserve reserve);
  template <typename Work>
  void call(CandidatePlans& form, const PacketCalls* packets, Work work);

  std::size_t block_bytes_;
  std::shared_ptr<CommContext> context_;
  CandidatePlans blocking_;
  CandidatePlans overlapped_;
  MakePlan make_plan_;
  std::string text_;
};

}  // namespace cubefold::mpi
