#include "unequal_alltoall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

std::vector<std::uint64_t> sizes_of(const Blocks& blocks) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t block = 0; block < blocks.block_count(); ++block) sizes.push_back(blocks.bytes(block));
  return sizes;
}

}  // namespace

UnequalAlltoall::UnequalAlltoall(std::shared_ptr<CommContext> context, Rank rank, Decide decide,
                                 CandidatePlans::MakePlan make_plan, std::string rule)
    : context_(std::move(context)),
      rank_(rank),
      decide_(std::move(decide)),
      make_plan_(std::move(make_plan)),
      rule_(std::move(rule)) {
  uses_mpi_ = decide_({}).is_mpi_alone();
}

void UnequalAlltoall::run(Sides sides) {
  context_->notify_on_failure([&] { run_here(sides); });
}

// The plan of MPI's own all-to-all has steps too, which serve where no other candidate has some.
std::unique_ptr<AlltoallRequest> UnequalAlltoall::prepare(const Sides& sides) {
  if (!overlapped_) {
    const Decision decision = agree_on_outcome(context_->comm(), [&] { return decide_({}); });
    const auto by_steps = std::ranges::find_if(
        decision.candidates, [](const AlltoallCandidate& each) { return each.window_steps.has_value(); });
    overlapped_ = make_plan_(by_steps == decision.candidates.end() ? decision.candidates.front() : *by_steps);
  }
  return overlapped_->prepare(sides);
}

void UnequalAlltoall::run_here(Sides& sides) {
  Sizes sizes{};
  const auto failure = failure_of([&] {
    sides.require_valid(process_count(context_->comm()), label(rank_));
    sizes = own_sizes(sides);
  });
  agree_on_sizes(sizes, failure);
  if (context_->is_checked()) require_matching(sides);
  CandidatePlans& plans = plans_for(sizes);
  last_ = plans.trials();
  last_sizes_ = sizes;
  const double start = MPI_Wtime();
  const auto call =
      plans.plan_for(last_->next_after_agreement(sizes.process_bytes), [&](const auto& plan, bool) {
        if (sizes.need_memory || plan->needs_memory(sides)) plan->reserve(sides);
      });
  last_candidate_ = last_->tuner().candidates()[call.candidate];
  call.plan->run(sides, sizes);
  if (call.seconds) *call.seconds = MPI_Wtime() - start;
}

/// Returns the sizes of this process alone.
UnequalAlltoall::Sizes UnequalAlltoall::own_sizes(const Sides& sides) const {
  const Blocks& sent = sides.outgoing();
  Sizes sizes{};
  sizes.sent_bytes = sent.total_bytes();
  sizes.process_bytes = std::max<std::uint64_t>(sizes.sent_bytes, sides.received.total_bytes());
  for (std::size_t rank = 0; rank < sent.block_count(); ++rank) {
    if (rank == label(rank_)) continue;
    sizes.largest_bytes =
        std::max<std::uint64_t>({sizes.largest_bytes, sent.bytes(rank), sides.received.bytes(rank)});
  }
  // A plan that the class of this call does not have yet may come from elsewhere, and needs memory for copies.
  sizes.need_memory = sides.need_copies() || std::ranges::any_of(plans_, [&](const auto& plans) {
                        return plans.second.find([&](const AlltoallPlan& plan) {
                          return plan.needs_memory(sides);
                        }) != nullptr;
                      });
  return sizes;
}

/// Collective: replaces the sizes of this process by those of all, and agrees on the time of the last measured call,
/// which is that of its slowest process. If any process has a failure, all throw as agree() does.
void UnequalAlltoall::agree_on_sizes(Sizes& sizes, const std::optional<Failure>& failure) {
  std::array<double, 6> largest{
      static_cast<double>(sizes.largest_bytes), static_cast<double>(sizes.process_bytes),
      static_cast<double>(sizes.sent_bytes),    sizes.need_memory ? 1.0 : 0.0,
      last_ ? last_->pending_seconds() : 0,     failure ? 1.0 : 0.0};
  static_assert(largest.size() <= CommContext::most_reduced);
  context_->reduce_to_largest(largest);
  if (largest[5] > 0) agree(context_->comm(), failure);
  if (largest[4] > 0) last_->record(largest[4]);
  sizes = {{static_cast<std::uint64_t>(largest[0]), static_cast<std::uint64_t>(largest[1]),
            static_cast<std::uint64_t>(largest[2])},
           largest[3] > 0};
}

/// Collective: every process tells every other one the size that it will send. All throw if a process expects another
/// size.
void UnequalAlltoall::require_matching(const Sides& sides) const {
  MPI_Comm comm = context_->comm();
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> announced;
  agree_on_outcome(comm, [&] {
    sent = sizes_of(sides.outgoing());
    expected = sizes_of(sides.received);
    announced.resize(sent.size());
  });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, announced.data(), 1, MPI_UINT64_T, comm), "MPI_Alltoall");
  agree_on_outcome(comm, [&] {
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      if (announced[rank] == expected[rank]) continue;
      throw std::invalid_argument(fmt::format("block size '{}' differs from '{}' that process {} sends",
                                              expected[rank], announced[rank], rank));
    }
  });
}

/// Collective: returns the plans for calls with such sizes. Communicates only if there are none yet.
CandidatePlans& UnequalAlltoall::plans_for(const Sizes& sizes) {
  const CallClass calls = class_of(CallKind::unequal, sizes);
  const auto found = plans_.find(calls);
  if (found != plans_.end()) return found->second;
  plans_.merge(agree_on_outcome(context_->comm(), [&] {
    std::map<CallClass, CandidatePlans> made;
    auto trials = std::make_shared<CandidateTrials>(context_, Tuner(CallKind::unequal, decide_(sizes)));
    made.try_emplace(calls, std::move(trials), make_plan_);
    return made;
  }));
  return plans_.find(calls)->second;
}

std::shared_ptr<AlltoallPlan> UnequalAlltoall::find_plan(const AlltoallSetup& setup) const {
  for (const auto& [calls, plans] : plans_)
    if (auto plan = plans.find([&](const AlltoallPlan& each) { return each.setup() == setup; })) return plan;
  return nullptr;
}

std::string UnequalAlltoall::explain() const {
  if (!last_candidate_) return rule_;
  return fmt::format("{} the last time, with blocks of up to {} bytes and up to {} bytes of a process; {}",
                     to_string(*last_candidate_), last_sizes_.largest_bytes, last_sizes_.process_bytes,
                     last_->text());
}

}  // namespace cubefold::mpi
