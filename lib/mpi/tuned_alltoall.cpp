#include "tuned_alltoall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

std::vector<TuningCandidate> tuning_candidates(const std::vector<AlltoallCandidate>& candidates) {
  std::vector<TuningCandidate> result;
  for (const AlltoallCandidate& candidate : candidates)
    result.push_back({to_string(candidate), candidate.predicted_seconds});
  return result;
}

/// Runs work(), and returns false if it throws an AgreedError because a process has no memory.
template <typename Work>
bool has_memory_for(Work work) {
  try {
    work();
    return true;
  } catch (const AgreedError& failure) {
    if (failure.status() != Status::memory) throw;
    return false;
  }
}

}  // namespace

MeasuredForm::MeasuredForm(std::shared_ptr<CommContext> context, std::vector<AlltoallCandidate> candidates,
                           std::size_t block_bytes, std::size_t round_count, TunedExchange exchange,
                           std::shared_ptr<TuningStore> store)
    : context_(std::move(context)),
      candidates_(std::move(candidates)),
      block_bytes_(block_bytes),
      tuning_(tuning_candidates(candidates_), round_count),
      exchange_(std::move(exchange)),
      store_(std::move(store)),
      pending_seconds_(std::make_shared<double>(0)) {
  const TunedChoice* known = store_ ? store_->find(exchange_) : nullptr;
  if (known == nullptr) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (to_string(candidates_[i]) != known->candidate) continue;
    tuning_.choose(i);
    origin_ = fmt::format(", found by an earlier run with blocks of {} bytes: {:.4g} ms", known->block_bytes,
                          known->seconds * 1e3);
  }
}

void MeasuredForm::settle() {
  if (!std::exchange(is_pending_, false)) return;
  context_->drain();
  const double seconds = context_->largest(*pending_seconds_);
  if (!std::isfinite(seconds)) return;
  tuning_.record(seconds);
  if (!tuning_.is_chosen() || !store_) return;
  const std::size_t best = tuning_.best();
  store_->add(
      {exchange_, to_string(candidates_[best]), tuning_.median_seconds(best).value_or(0), block_bytes_});
}

MeasuredForm::Turn MeasuredForm::next(std::size_t block_bytes) {
  settle();
  if (!measures(block_bytes)) return {tuning_.best(), nullptr};
  *pending_seconds_ = std::numeric_limits<double>::infinity();
  is_pending_ = true;
  return {tuning_.next(), pending_seconds_};
}

std::size_t MeasuredForm::leave_out(std::size_t candidate) {
  tuning_.leave_out(candidate);
  return tuning_.next();
}

std::string MeasuredForm::text() const {
  const std::string sizes =
      block_bytes_ > 0 && origin_.empty() ? fmt::format(" (blocks of {} bytes)", block_bytes_) : "";
  const std::string failure =
      store_ && !store_->failure().empty() ? fmt::format("; {}", store_->failure()) : "";
  return tuning_.text() + origin_ + sizes + failure;
}

TunedAlltoall::TunedAlltoall(std::size_t block_bytes, std::shared_ptr<AlltoallPlan> plan, std::string text)
    : block_bytes_(block_bytes),
      blocking_{nullptr, {}, plan},
      overlapped_{nullptr, {}, std::move(plan)},
      text_(std::move(text)) {}

TunedAlltoall::TunedAlltoall(std::size_t block_bytes, std::shared_ptr<MeasuredForm> blocking,
                             std::shared_ptr<MeasuredForm> overlapped, SetupOf setup_of, MakePlan make_plan)
    : block_bytes_(block_bytes),
      blocking_{std::move(blocking), {}, nullptr},
      overlapped_{std::move(overlapped), {}, nullptr},
      setup_of_(std::move(setup_of)),
      make_plan_(std::move(make_plan)) {
  for (Form* form : {&blocking_, &overlapped_}) form->plans.resize(form->measured->candidates().size());
}

/// Collective: returns the plan of a candidate, which it makes if no call has used it yet.
std::shared_ptr<AlltoallPlan> TunedAlltoall::plan_of(Form& form, std::size_t candidate) {
  auto& plan = form.plans[candidate];
  if (plan) return plan;
  AlltoallSetup setup;
  collective_try(form.measured->comm(), [&] { setup = setup_of_(form.measured->candidates()[candidate]); });
  plan = make_plan_(setup);
  return plan;
}

/// Collective: returns the plan of the next call. If the call is measured, calls reserve(plan) for its memory; if a
/// process has none, the candidate is left out and replaced by the next one. After the choice, the plans of the other
/// candidates are freed.
template <typename Reserve>
TunedAlltoall::Call TunedAlltoall::next_call(Form& form, Reserve reserve) {
  if (form.chosen) return {form.chosen, nullptr};
  auto [candidate, seconds] = form.measured->next(block_bytes_);
  std::shared_ptr<AlltoallPlan> plan;
  const auto make = [&] {
    plan = plan_of(form, candidate);
    if (seconds) collective_try(form.measured->comm(), [&] { reserve(plan); });
  };
  while (!form.measured->is_decided() && !has_memory_for(make)) {
    candidate = form.measured->leave_out(candidate);
  }
  if (!form.measured->is_decided()) return {std::move(plan), std::move(seconds)};
  form.chosen = plan_of(form, candidate);
  form.plans.clear();
  return {form.chosen, nullptr};
}

template <typename Work>
void TunedAlltoall::measure(Form& form, Work work) {
  const Call call = next_call(form, [&](const auto& plan) { plan->reserve(block_bytes_); });
  const double start = MPI_Wtime();
  work(*call.plan);
  if (call.seconds) *call.seconds = MPI_Wtime() - start;
}

void TunedAlltoall::run(const AlltoallBuffers& buffers) {
  measure(blocking_, [&](AlltoallPlan& plan) { plan.run(buffers); });
}

void TunedAlltoall::run_packets(const PacketCalls& calls) {
  measure(overlapped_, [&](AlltoallPlan& plan) { plan.run_packets(block_bytes_, calls); });
}

std::unique_ptr<AlltoallRequest> TunedAlltoall::prepare(const AlltoallBuffers& buffers) {
  return plan_in_use(overlapped_)->prepare(buffers);
}

void TunedAlltoall::start(AlltoallRequest& request) {
  if (overlapped_.measured && !request.is_running()) {
    Call call = next_call(overlapped_, [&](const auto& plan) {
      request.use(plan, nullptr);
      request.reserve(block_bytes_);
    });
    request.use(std::move(call.plan), std::move(call.seconds));
  }
  request.start();
}

/// Collective: returns the plan of a call that is not measured.
std::shared_ptr<AlltoallPlan> TunedAlltoall::plan_in_use(Form& form) {
  return form.chosen ? form.chosen : plan_of(form, form.measured->best());
}

const AlltoallPlan& TunedAlltoall::plan() {
  return *plan_in_use(blocking_);
}

bool TunedAlltoall::is_measuring(ExchangeForm form) const {
  const auto& measured = of(form).measured;
  return measured && measured->measures(block_bytes_);
}

std::string TunedAlltoall::state(ExchangeForm form) const {
  const auto& measured = of(form).measured;
  return measured ? measured->text() : "";
}

bool TunedAlltoall::suits_packets() const {
  if (blocking_.chosen) return blocking_.chosen->setup().backend != Backend::mpi;
  const MeasuredForm& form = *blocking_.measured;
  return !form.is_decided() || form.candidates()[form.best()].method.has_value();
}

std::string TunedAlltoall::explain() {
  if (!text_.empty()) return text_;
  blocking_.measured->settle();
  overlapped_.measured->settle();
  return fmt::format("{}\nrequests and packets: {}\n", blocking_.measured->text(),
                     overlapped_.measured->text());
}

std::shared_ptr<AlltoallPlan> TunedAlltoall::find_plan(const AlltoallSetup& setup) const {
  for (const Form* form : {&blocking_, &overlapped_}) {
    if (form->chosen && form->chosen->setup() == setup) return form->chosen;
    for (const auto& plan : form->plans)
      if (plan && plan->setup() == setup) return plan;
  }
  return nullptr;
}

}  // namespace cubefold::mpi
