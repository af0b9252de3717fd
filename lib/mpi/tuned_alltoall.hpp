#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alltoall_choice.hpp"
#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "plan/exchange_tuning.hpp"
#include "tuning_store.hpp"

namespace cubefold::mpi {

/// The candidates and measurements for one form of calls and all block sizes of one bit width. Only calls with the size
/// that comes first are measured; calls with other sizes use the best candidate so far. Before a call, the processes
/// agree on the time of the measured call before it, which is that of its slowest process.
class MeasuredForm {
 public:
  /// The candidate that a call uses, and a place for the call's time, or null if the call is not measured.
  struct Turn {
    std::size_t candidate;
    std::shared_ptr<double> seconds;
  };

  /// Takes the choice of the store, if it has one for `exchange` that is among the candidates. `store` may be null.
  MeasuredForm(std::shared_ptr<CommContext> context, std::vector<AlltoallCandidate> candidates,
               std::size_t block_bytes, std::size_t round_count, TunedExchange exchange,
               std::shared_ptr<TuningStore> store);

  /// Collective: returns the turn of the next call with blocks of this size. Completes all exchanges that are under way
  /// if a measured call came before.
  Turn next(std::size_t block_bytes);

  /// Collective: agrees on the time of the last measured call, if there is one.
  void settle();

  /// Returns whether no further call is measured.
  bool is_decided() const { return tuning_.is_chosen(); }
  std::size_t best() const { return tuning_.best(); }
  const std::vector<AlltoallCandidate>& candidates() const { return candidates_; }

  /// Leaves out a candidate for which a process has no memory, and returns the next one. All processes must call this
  /// alike. Requires another candidate.
  std::size_t leave_out(std::size_t candidate);

  /// Returns the state of the measurements, and where the choice comes from.
  std::string text() const;

  /// Returns whether calls with blocks of this size are measured. Does not communicate.
  bool measures(std::size_t block_bytes) const { return !is_decided() && block_bytes == block_bytes_; }

  MPI_Comm comm() const { return context_->comm(); }

 private:
  std::shared_ptr<CommContext> context_;
  std::vector<AlltoallCandidate> candidates_;
  std::size_t block_bytes_;
  ExchangeTuning tuning_;
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
  /// Returns the setup of a candidate for the block size of this exchange.
  using SetupOf = std::function<AlltoallSetup(const AlltoallCandidate&)>;
  /// Collective: returns a plan with this setup.
  using MakePlan = std::function<std::shared_ptr<AlltoallPlan>(const AlltoallSetup&)>;

  /// An exchange that a rule has decided.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<AlltoallPlan> plan, std::string text);

  /// An exchange that is measured. The forms are shared with other block sizes. What the two functions refer to must
  /// outlive this object.
  TunedAlltoall(std::size_t block_bytes, std::shared_ptr<MeasuredForm> blocking,
                std::shared_ptr<MeasuredForm> overlapped, SetupOf setup_of, MakePlan make_plan);

  void run(const AlltoallBuffers& buffers);
  void run_packets(const PacketCalls& calls);

  /// Binds buffers to a request, which only start() below may start.
  std::unique_ptr<AlltoallRequest> prepare(const AlltoallBuffers& buffers);
  void start(AlltoallRequest& request);

  /// Returns whether the next call of this form is measured. Does not communicate.
  bool is_measuring(ExchangeForm form) const;

  /// Returns the state of the measurements for calls of this form, as far as all processes know it, or an empty text if
  /// a rule has decided. Does not communicate.
  std::string state(ExchangeForm form) const;

  /// Returns whether packets are not known to be slower than MPI's own all-to-all. Does not communicate.
  bool suits_packets() const;

  /// Returns a text about the choice and its reason, of one or more lines.
  std::string explain();

  std::size_t block_bytes() const { return block_bytes_; }

  /// Returns the plan with this setup, if calls have used one, or null. Does not communicate.
  std::shared_ptr<AlltoallPlan> find_plan(const AlltoallSetup& setup) const;

  /// Returns the plan of the blocking calls that are not measured.
  const AlltoallPlan& plan();

 private:
  struct Form {
    std::shared_ptr<MeasuredForm> measured;            ///< null if a rule has decided
    std::vector<std::shared_ptr<AlltoallPlan>> plans;  ///< of the candidates, null until they are used
    std::shared_ptr<AlltoallPlan> chosen;              ///< null until there is a choice
  };
  struct Call {
    std::shared_ptr<AlltoallPlan> plan;
    std::shared_ptr<double> seconds;
  };

  const Form& of(ExchangeForm form) const { return form == ExchangeForm::blocking ? blocking_ : overlapped_; }
  std::shared_ptr<AlltoallPlan> plan_of(Form& form, std::size_t candidate);
  std::shared_ptr<AlltoallPlan> plan_in_use(Form& form);
  template <typename Reserve>
  Call next_call(Form& form, Reserve reserve);
  template <typename Work>
  void measure(Form& form, Work work);

  std::size_t block_bytes_;
  Form blocking_;
  Form overlapped_;
  SetupOf setup_of_;
  MakePlan make_plan_;
  std::string text_;
};

}  // namespace cubefold::mpi
