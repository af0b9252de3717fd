#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "job_files.hpp"
#include "plan/tuner.hpp"

namespace cubefold::mpi {

/// The trials of the calls of one class: their tuner, the last measured call, on whose time processes agree before the
/// next one, and the file that keeps the choice.
class CUBEFOLD_API CandidateTrials {
 public:
  /// The candidate of a call, and a place for the call's time, or null if the call is not measured.
  struct NextCall {
    std::size_t candidate;
    std::shared_ptr<double> seconds;
  };

  /// Takes the choice of the store, if it has one for `exchange` that is among the candidates. `store` may be null.
  CandidateTrials(std::shared_ptr<CommContext> context, Tuner tuner, TunedExchange exchange = {},
                  std::shared_ptr<TuningStore> store = nullptr);

  /// Collective: returns the candidate of the next call, as Tuner::next() does. Unless a candidate is chosen, it first
  /// completes all exchanges that are under way if the call is measured or a measured call came before it, and agrees
  /// on the time of that call. A measured call waits for all processes to begin it. If processes have agreed on the
  /// time, they have begun the call, and this does not communicate.
  NextCall next(std::uint64_t bytes, bool have_agreed = false);

  /// Returns whether the next call uses the chosen candidate without communication, and counts it. Otherwise next()
  /// does.
  bool passes_unmeasured(std::uint64_t bytes) { return !is_pending_ && tuner_.passes_unmeasured(bytes); }

  /// Returns the time of the last measured call on this process, infinite if it has not succeeded, or 0 if processes
  /// have agreed on it.
  double pending_seconds() const { return is_pending_ ? *pending_seconds_ : 0; }

  /// Takes the time of the last measured call on which processes have agreed.
  void record(double seconds);

  /// Collective: agrees on the time of the last measured call. Returns whether there was one.
  bool record_last_time();

  Tuner& tuner() { return tuner_; }
  const Tuner& tuner() const { return tuner_; }

  /// Returns the state of the measurements, and whether the store could not keep the last choice.
  std::string text() const;

 private:
  std::shared_ptr<CommContext> context_;
  Tuner tuner_;
  TunedExchange exchange_;
  std::shared_ptr<TuningStore> store_;
  std::shared_ptr<double> pending_seconds_;  ///< infinite until the measured call has succeeded
  bool is_pending_ = false;
};

/// The plans of the candidates for the calls of one class and one size, or of one class of unequal blocks.
class CandidatePlans {
 public:
  /// Collective: returns a plan of a candidate.
  using MakePlan = std::function<std::shared_ptr<AlltoallPlan>(const AlltoallCandidate&)>;

  /// The candidate of a call, its plan, and a place for the call's time, or null if the call is not measured.
  struct Call {
    std::size_t candidate;
    std::shared_ptr<AlltoallPlan> plan;
    std::shared_ptr<double> seconds;
  };

  /// What `make_plan` refers to must outlive this object.
  CandidatePlans(std::shared_ptr<CandidateTrials> trials, MakePlan make_plan)
      : trials_(std::move(trials)),
        plans_(trials_->tuner().candidates().size()),
        make_plan_(std::move(make_plan)) {}

  /// Collective: returns the plan of a call, for which reserve(plan, is_measured) takes the memory on all processes or
  /// throws on all. If a process has none, the candidate is left out and replaced by the next one. After the choice,
  /// the plans of the other candidates are freed.
  template <typename Reserve>
  Call plan_for(CandidateTrials::NextCall call, Reserve reserve) {
    std::shared_ptr<AlltoallPlan> plan;
    const auto make = [&] {
      plan = plan_of(call.candidate);
      reserve(plan, call.seconds != nullptr);
    };
    Tuner& tuner = trials_->tuner();
    while (tuner.has_others() && !has_memory_for(make)) {
      plan.reset();
      call.candidate = tuner.leave_out(call.candidate);
    }
    if (!plan) make();
    if (tuner.is_decided()) choose(call.candidate);
    return {call.candidate, std::move(plan), std::move(call.seconds)};
  }

  /// Collective: returns the plan of a call that is not measured.
  std::shared_ptr<AlltoallPlan> plan_in_use() {
    const Tuner& tuner = trials_->tuner();
    auto plan = plan_of(tuner.best());
    if (tuner.is_decided()) choose(tuner.best());
    return plan;
  }

  /// Returns the plan of the next call if that call uses the chosen candidate and is not measured, and counts it.
  /// Otherwise returns null, and plan_for() has the plan.
  std::shared_ptr<AlltoallPlan> plan_unmeasured(std::uint64_t bytes) {
    if (!chosen_ || plans_[trials_->tuner().best()] != chosen_ || !trials_->passes_unmeasured(bytes))
      return nullptr;
    return chosen_;
  }

  /// Returns the plan of the chosen candidate, or null until there is a choice.
  const std::shared_ptr<AlltoallPlan>& chosen() const { return chosen_; }

  CandidateTrials& trials() const { return *trials_; }

  /// Returns the first plan that calls have used and for which matches(plan) is true, or null.
  template <typename Matches>
  std::shared_ptr<AlltoallPlan> find(Matches matches) const {
    for (const auto& plan : plans_)
      if (plan && matches(*plan)) return plan;
    return nullptr;
  }

 private:
  /// Collective: returns the plan of a candidate, which it makes if no call has used it yet, or if the tuner has
  /// changed its slots.
  std::shared_ptr<AlltoallPlan> plan_of(std::size_t candidate) {
    auto& plan = plans_[candidate];
    const AlltoallCandidate& wanted = trials_->tuner().candidates()[candidate];
    const auto& tau = wanted.slot_tau_seconds;
    if (plan && tau && plan->setup().times.tau_seconds_per_byte != *tau) plan.reset();
    if (!plan) plan = make_plan_(wanted);
    return plan;
  }

  void choose(std::size_t candidate) {
    chosen_ = plans_[candidate];
    plans_.assign(plans_.size(), nullptr);
    plans_[candidate] = chosen_;
  }

  std::shared_ptr<CandidateTrials> trials_;
  std::vector<std::shared_ptr<AlltoallPlan>> plans_;  ///< of the candidates, null until they are used
  std::shared_ptr<AlltoallPlan> chosen_;
  MakePlan make_plan_;
};

}  // namespace cubefold::mpi
