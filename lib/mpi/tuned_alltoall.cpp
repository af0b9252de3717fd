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

TunedAlltoall::TunedAlltoall(std::size_t block_bytes, std::shared_ptr<AlltoallPlan> plan, std::string text)
    : block_bytes_(block_bytes), blocking_(plan), overlapped_(std::move(plan)), text_(std::move(text)) {}

TunedAlltoall::TunedAlltoall(std::size_t block_bytes, std::shared_ptr<CommContext> context,
                             std::shared_ptr<CandidateTrials> blocking,
                             std::shared_ptr<CandidateTrials> overlapped,
                             const CandidatePlans::MakePlan& make_plan)
    : block_bytes_(block_bytes),
      context_(std::move(context)),
      blocking_(std::move(blocking), make_plan),
      overlapped_(std::move(overlapped), make_plan) {}

/// Collective: returns the plan of the next call. If the call is measured, reserve(plan) takes its memory.
template <typename Reserve>
CandidatePlans::Call TunedAlltoall::next_call(CandidatePlans& plans, Reserve reserve) {
  if (plans.chosen()) return {0, plans.chosen(), nullptr};
  return plans.plan_for(plans.trials()->next(block_bytes_), [&](const auto& plan, bool is_measured) {
    if (is_measured) agree_on_outcome(context_->comm(), [&] { reserve(plan); });
  });
}

/// Collective: runs work(plan) with the plan of the next call, which exchanges packets unless `packets` is null.
template <typename Work>
void TunedAlltoall::call(CandidatePlans& plans, const PacketCalls* packets, Work work) {
  if (plans.chosen()) return work(*plans.chosen());
  context_->notify_on_failure([&] {
    const auto next = next_call(plans, [&](const auto& plan) { plan->reserve(block_bytes_, packets); });
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
  blocking_.trials()->tuner().measure_every_call();
  while (is_measuring(CallKind::blocking))
    run({sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE});
}

std::unique_ptr<AlltoallRequest> TunedAlltoall::prepare(const Sides& sides) {
  return overlapped_.plan_in_use()->prepare(sides);
}

void TunedAlltoall::start(AlltoallRequest& request) {
  if (!overlapped_.trials() || request.is_running()) return request.start();
  request.context().notify_on_failure([&] {
    auto next = next_call(overlapped_, [&](const auto& plan) {
      request.use(plan, nullptr);
      request.reserve();
    });
    request.use(std::move(next.plan), std::move(next.seconds));
    request.start();
  });
}

bool TunedAlltoall::is_measuring(CallKind kind) const {
  const auto& trials = of(kind).trials();
  return trials && trials->tuner().measures(block_bytes_);
}

std::optional<MedianSeconds> TunedAlltoall::medians() const {
  return blocking_.trials() ? blocking_.trials()->tuner().medians() : std::nullopt;
}

std::string TunedAlltoall::state(CallKind kind) const {
  const auto& trials = of(kind).trials();
  return trials ? trials->text() : "";
}

bool TunedAlltoall::suits_packets() const {
  if (blocking_.chosen()) return blocking_.chosen()->setup().backend == Backend::schedule;
  const Tuner& tuner = blocking_.trials()->tuner();
  const auto is_shared = [](const AlltoallCandidate& each) { return is_between_nodes(each.backend); };
  if (!tuner.is_decided()) return std::ranges::none_of(tuner.candidates(), is_shared);
  const AlltoallCandidate& best = tuner.candidates()[tuner.best()];
  return best.method.has_value() && !is_shared(best);
}

void TunedAlltoall::record_last_times() {
  for (const CandidatePlans* plans : {&blocking_, &overlapped_})
    if (plans->trials()) plans->trials()->record_last_time();
}

std::string TunedAlltoall::explain() const {
  if (!text_.empty()) return text_;
  return fmt::format("{}\nrequests and packets: {}\n", blocking_.trials()->text(),
                     overlapped_.trials()->text());
}

std::shared_ptr<AlltoallPlan> TunedAlltoall::find_plan(const AlltoallSetup& setup) const {
  const auto matches = [&](const AlltoallPlan& plan) { return plan.setup() == setup; };
  auto found = blocking_.find(matches);
  return found ? found : overlapped_.find(matches);
}

}  // namespace cubefold::mpi
