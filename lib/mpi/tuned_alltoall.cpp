#include "tuned_alltoall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

std::vector<TuningCandidate> tuning_candidates(const std::vector<AlltoallCandidate>& candidates) {
  std::vector<TuningCandidate> result;
  result.reserve(candidates.size());
  for (const AlltoallCandidate& candidate : candidates)
    result.push_back({to_string(candidate), candidate.predicted_seconds});
  return result;
}

}  // namespace

CandidateTrials::CandidateTrials(std::shared_ptr<CommContext> context,
                                 std::vector<AlltoallCandidate> candidates, std::size_t round_count,
                                 TunedExchange exchange, std::shared_ptr<TuningStore> store)
    : context_(std::move(context)),
      candidates_(std::move(candidates)),
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

// The exchanges that are under way are completed first, because one of them may be the measured one.
bool CandidateTrials::record_last_time() {
  if (!std::exchange(is_pending_, false)) return false;
  context_->drain();
  const double seconds = context_->largest(*pending_seconds_);
  if (!std::isfinite(seconds)) return true;
  tuning_.record(seconds);
  if (!tuning_.is_chosen() || !store_) return true;
  const std::size_t best = tuning_.best();
  if (const auto median = tuning_.median_seconds(best))
    store_->add(exchange_, candidates_[best], *median, block_bytes_);
  return true;
}

void CandidateTrials::note_size(std::size_t block_bytes) {
  if (block_bytes_ == 0) block_bytes_ = block_bytes;
  others_ = block_bytes == block_bytes_ ? 0 : others_ + 1;
  if (is_decided() || others_ < most_others) return;
  block_bytes_ = block_bytes;
  others_ = 0;
  tuning_.restart();
}

CandidateTrials::NextCall CandidateTrials::next(std::size_t block_bytes) {
  const bool has_met = record_last_time();
  note_size(block_bytes);
  if (!measures(block_bytes)) return {tuning_.best(), nullptr};
  // Processes that come to a measured call wait for one another here, where they also hear of a failure.
  if (!has_met) context_->largest(0);
  *pending_seconds_ = std::numeric_limits<double>::infinity();
  is_pending_ = true;
  return {tuning_.next(), pending_seconds_};
}

std::optional<MedianSeconds> CandidateTrials::medians() const {
  const auto first = tuning_.median_seconds(0);
  const auto chosen = tuning_.median_seconds(tuning_.best());
  if (!is_decided() || !first || !chosen) return std::nullopt;
  return MedianSeconds{*first, *chosen};
}

std::size_t CandidateTrials::leave_out(std::size_t candidate) {
  tuning_.leave_out(candidate);
  return tuning_.next();
}

std::string CandidateTrials::text() const {
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

TunedAlltoall::TunedAlltoall(std::size_t block_bytes, std::shared_ptr<CommContext> context,
                             std::shared_ptr<CandidateTrials> blocking,
                             std::shared_ptr<CandidateTrials> overlapped, MakePlan make_plan)
    : block_bytes_(block_bytes),
      context_(std::move(context)),
      blocking_{std::move(blocking), {}, nullptr},
      overlapped_{std::move(overlapped), {}, nullptr},
      make_plan_(std::move(make_plan)) {
  for (CandidatePlans* form : {&blocking_, &overlapped_})
    form->plans.resize(form->measured->candidates().size());
}

/// Collective: returns the plan of a candidate, which it makes if no call has used it yet.
std::shared_ptr<AlltoallPlan> TunedAlltoall::plan_of(CandidatePlans& form, std::size_t candidate) {
  auto& plan = form.plans[candidate];
  if (!plan) plan = make_plan_(form.measured->candidates()[candidate]);
  return plan;
}

/// Collective: returns the plan of the next call. If the call is measured, calls reserve(plan) for its memory; if a
/// process has none, the candidate is left out and replaced by the next one. After the choice, the plans of the other
/// candidates are freed.
template <typename Reserve>
TunedAlltoall::Call TunedAlltoall::next_call(CandidatePlans& form, Reserve reserve) {
  if (form.chosen) return {form.chosen, nullptr};
  CandidateTrials::NextCall use = form.measured->next(block_bytes_);
  std::shared_ptr<AlltoallPlan> plan;
  const auto make = [&] {
    plan = plan_of(form, use.candidate);
    if (use.seconds) agree_on_outcome(context_->comm(), [&] { reserve(plan); });
  };
  while (!form.measured->is_decided() && !has_memory_for(make)) {
    use.candidate = form.measured->leave_out(use.candidate);
  }
  if (!form.measured->is_decided()) return {std::move(plan), std::move(use.seconds)};
  form.chosen = plan_of(form, use.candidate);
  form.plans.clear();
  return {form.chosen, nullptr};
}

/// Collective: runs work(plan) with the plan of the next call, which exchanges packets unless `packets` is null.
template <typename Work>
void TunedAlltoall::call(CandidatePlans& form, const PacketCalls* packets, Work work) {
  if (form.chosen) return work(*form.chosen);
  context_->notify_on_failure([&] {
    const Call next = next_call(form, [&](const auto& plan) { plan->reserve(block_bytes_, packets); });
    const double start = MPI_Wtime();
    work(*next.plan);
    if (next.seconds) *next.seconds = MPI_Wtime() - start;
  });
}

void TunedAlltoall::run(const Sides& sides) {
  call(blocking_, nullptr, [&](AlltoallPlan& plan) { plan.run(sides); });
}

void TunedAlltoall::run_packets(const PacketCalls& calls) {
  call(overlapped_, &calls, [&](AlltoallPlan& plan) { plan.run_packets(block_bytes_, calls); });
}

void TunedAlltoall::choose_ahead() {
  if (!is_measuring(CallKind::blocking)) return;
  const std::size_t rank_count = process_count(context_->comm());
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  const auto take_memory = [&] {
    agree_on_outcome(context_->comm(), [&] {
      sent.resize(rank_count * block_bytes_);
      received.resize(sent.size());
    });
  };
  if (!has_memory_for(take_memory)) return;
  const int bytes = message_bytes(1, block_bytes_);
  while (is_measuring(CallKind::blocking))
    run({sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE});
}

std::unique_ptr<AlltoallRequest> TunedAlltoall::prepare(const Sides& sides) {
  return plan_in_use(overlapped_)->prepare(sides);
}

void TunedAlltoall::start(AlltoallRequest& request) {
  if (!overlapped_.measured || request.is_running()) return request.start();
  request.context().notify_on_failure([&] {
    Call next = next_call(overlapped_, [&](const auto& plan) {
      request.use(plan, nullptr);
      request.reserve();
    });
    request.use(std::move(next.plan), std::move(next.seconds));
    request.start();
  });
}

/// Collective: returns the plan of a call that is not measured.
std::shared_ptr<AlltoallPlan> TunedAlltoall::plan_in_use(CandidatePlans& form) {
  return form.chosen ? form.chosen : plan_of(form, form.measured->best());
}

bool TunedAlltoall::is_measuring(CallKind form) const {
  const auto& measured = of(form).measured;
  return measured && measured->measures(block_bytes_);
}

std::optional<MedianSeconds> TunedAlltoall::medians() const {
  return blocking_.measured ? blocking_.measured->medians() : std::nullopt;
}

std::string TunedAlltoall::state(CallKind form) const {
  const auto& measured = of(form).measured;
  return measured ? measured->text() : "";
}

bool TunedAlltoall::suits_packets() const {
  if (blocking_.chosen) return blocking_.chosen->setup().backend == Backend::schedule;
  const CandidateTrials& form = *blocking_.measured;
  const auto is_shared = [](const AlltoallCandidate& each) { return is_between_nodes(each.backend); };
  if (!form.is_decided()) return std::ranges::none_of(form.candidates(), is_shared);
  const AlltoallCandidate& best = form.candidates()[form.best()];
  return best.method.has_value() && !is_shared(best);
}

void TunedAlltoall::record_last_times() {
  for (const CandidatePlans* form : {&blocking_, &overlapped_})
    if (form->measured) form->measured->record_last_time();
}

std::string TunedAlltoall::explain() const {
  if (!text_.empty()) return text_;
  return fmt::format("{}\nrequests and packets: {}\n", blocking_.measured->text(),
                     overlapped_.measured->text());
}

std::shared_ptr<AlltoallPlan> TunedAlltoall::find_plan(const AlltoallSetup& setup) const {
  for (const CandidatePlans* form : {&blocking_, &overlapped_}) {
    if (form->chosen && form->chosen->setup() == setup) return form->chosen;
    for (const auto& plan : form->plans)
      if (plan && plan->setup() == setup) return plan;
  }
  return nullptr;
}

}  // namespace cubefold::mpi
