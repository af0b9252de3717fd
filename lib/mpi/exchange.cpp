#include "exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
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

/// Returns the decision for requests with blocks of unequal sizes: the first of the candidates that are steps. The plan
/// of MPI's own all-to-all has steps too, which serve where no other candidate has some.
Decision steps_of(const std::vector<AlltoallCandidate>& candidates) {
  const auto steps = std::ranges::find_if(
      candidates, [](const AlltoallCandidate& each) { return each.window_steps.has_value(); });
  return {{steps == candidates.end() ? candidates.front() : *steps}};
}

}  // namespace

Exchange::Exchange(CallKind kind, std::optional<std::size_t> block_bytes,
                   std::shared_ptr<CommContext> context, TrialsFor trials_for,
                   CandidatePlans::MakePlan make_plan)
    : kind_(kind),
      block_bytes_(block_bytes),
      context_(std::move(context)),
      trials_for_(std::move(trials_for)),
      make_plan_(std::move(make_plan)) {
  const auto add = [&](CallKind calls, const std::shared_ptr<CandidateTrials>& trials) {
    return &plans_.try_emplace({calls}, trials, make_plan_).first->second;
  };
  if (!block_bytes_) {
    rank_count_ = process_count(context_->comm());
    own_rank_ = static_cast<std::size_t>(rank_in(context_->comm()));
    const auto calls = trials_for_(kind_, {});
    const auto& candidates = calls->tuner().candidates();
    leaves_all_to_mpi_ = candidates.size() == 1 && candidates.front().backend == Backend::mpi;
    const Tuner requests(CallKind::overlapped, steps_of(candidates));
    overlapped_ = add(CallKind::overlapped, std::make_shared<CandidateTrials>(context_, requests));
    return;
  }
  const ExchangeSizes sizes{*block_bytes_, *block_bytes_, *block_bytes_};
  overlapped_ = blocking_ = add(CallKind::blocking, trials_for_(CallKind::blocking, sizes));
  if (trials(CallKind::blocking) != nullptr)
    overlapped_ = add(CallKind::overlapped, trials_for_(CallKind::overlapped, sizes));
}

/// Returns a function that takes memory by reserve(plan) if a call with blocks of one size is measured.
template <typename Reserve>
auto Exchange::if_measured(Reserve reserve) const {
  return [this, reserve](const std::shared_ptr<AlltoallPlan>& plan, bool is_measured) {
    if (is_measured) agree_on_outcome(context_->comm(), [&] { reserve(plan); });
  };
}

/// Collective: runs work(plan) with the plan of the next call of so many bytes, for which reserve() takes the memory as
/// in CandidatePlans::plan_for(). Where blocks have unequal sizes, calls may take memory, so that time counts.
template <typename Reserve, typename Work>
void Exchange::call(CandidatePlans& plans, std::uint64_t bytes, Reserve reserve, Work work) {
  double start = MPI_Wtime();
  const auto next = plans.plan_for(plans.trials().next(bytes, !block_bytes_), reserve);
  if (kind_ != CallKind::unequal) start = MPI_Wtime();
  last_candidate_ = &plans.trials().tuner().candidates()[next.candidate];
  work(*next.plan);
  if (next.seconds) *next.seconds = MPI_Wtime() - start;
}

/// Collective: does this for blocks of one size, which are packets unless `packets` is null.
template <typename Work>
void Exchange::call_of_one_size(CandidatePlans& plans, const PacketCalls* packets, Work work) {
  if (const auto plan = plans.plan_unmeasured(*block_bytes_)) return work(*plan);
  context_->notify_on_failure([&] {
    const auto reserve = [&](const auto& plan) { plan->reserve(*block_bytes_, packets); };
    call(plans, *block_bytes_, if_measured(reserve), work);
  });
}

void Exchange::run(Sides sides) {
  if (block_bytes_)
    return call_of_one_size(*blocking_, nullptr, [&](AlltoallPlan& plan) { plan.run(sides); });
  context_->notify_on_failure([&] { agrees_on_next_call() ? run_agreed(sides) : run_by_last_choice(sides); });
}

/// Counts a call with blocks of several sizes, and returns whether processes agree on its sizes.
bool Exchange::agrees_on_next_call() {
  const bool have_no_choice = kind_ == CallKind::unequal ? !are_mostly_empty_ : blocking_ == nullptr;
  if (have_no_choice || context_->is_checked()) {
    rare_calls_ = 1;
    return true;
  }
  return std::has_single_bit(++rare_calls_);
}

/// Returns whether the steps of requests move blocks of these sizes, which needs no agreement.
bool Exchange::are_sent_by_steps(const Sizes& sizes) const {
  const Tuner& steps = overlapped_->trials().tuner();
  return kind_ == CallKind::unequal && are_mostly_empty(rank_count_, sizes.filled_count) &&
         steps.candidates()[steps.best()].backend == Backend::schedule;
}

/// Collective: does a call in which the processes agree on the sizes, and on the time of the last measured call.
void Exchange::run_agreed(Sides& sides) {
  const Sizes sizes = agree_on_sizes(sides);
  last_sizes_ = sizes;
  are_mostly_empty_ = are_sent_by_steps(sizes);
  if (are_mostly_empty_) return run_by_last_choice(sides);
  blocking_ = &plans_for(sizes);
  const auto reserve = [&](const auto& plan, bool) {
    if (sizes.need_memory || plan->needs_memory(sides)) plan->reserve(sides);
  };
  call(*blocking_, sizes.process_bytes, reserve, [&](AlltoallPlan& plan) { plan.run(sides, sizes); });
}

/// Collective: does a call of which this process knows only its own sizes, with the best candidate so far.
void Exchange::run_by_last_choice(Sides& sides) {
  sides.require_valid(rank_count_, own_rank_);
  CandidatePlans& plans = are_mostly_empty_ ? *overlapped_ : *blocking_;
  const auto plan = plans.plan_in_use();
  const Tuner& tuner = plans.trials().tuner();
  last_candidate_ = &tuner.candidates()[tuner.best()];
  const std::uint64_t largest = sides.largest_bytes();
  plan->run(sides, {largest, largest, largest});
}

void Exchange::run_packets(const PacketCalls& calls) {
  call_of_one_size(*overlapped_, &calls, [&](AlltoallPlan& plan) { plan.run_packets(*block_bytes_, calls); });
}

void Exchange::start(AlltoallRequest& request) {
  if (request.is_running()) return request.start();
  context_->notify_on_failure([&] {
    const std::uint64_t bytes = block_bytes_.value_or(0);
    if (auto plan = overlapped_->plan_unmeasured(bytes)) {
      request.use(std::move(plan), nullptr);
      return request.start();
    }
    const auto reserve = [&](const auto& plan) {
      request.use(plan, nullptr);
      request.reserve();
    };
    auto next = overlapped_->plan_for(overlapped_->trials().next(bytes), if_measured(reserve));
    request.use(std::move(next.plan), std::move(next.seconds));
    request.start();
  });
}

void Exchange::choose_ahead() {
  if (!is_measuring(CallKind::blocking)) return;
  const std::size_t rank_count = process_count(context_->comm());
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  const auto take_memory = [&] {
    agree_on_outcome(context_->comm(), [&] {
      sent.resize(rank_count * *block_bytes_);
      received.resize(sent.size());
    });
  };
  if (!has_memory_for(take_memory)) return;
  const int bytes = message_bytes(1, *block_bytes_);
  blocking_->trials().tuner().measure_every_call();
  while (is_measuring(CallKind::blocking))
    run({sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE});
}

/// Returns the sizes of this process alone.
Exchange::Sizes Exchange::own_sizes(const Sides& sides) const {
  const Blocks& sent = sides.outgoing();
  Sizes sizes{};
  sizes.sent_bytes = sent.total_bytes();
  sizes.process_bytes = std::max<std::uint64_t>(sizes.sent_bytes, sides.received.total_bytes());
  std::size_t sent_count = 0;
  std::size_t received_count = 0;
  for (std::size_t rank = 0; rank < sent.block_count(); ++rank) {
    if (sent.bytes(rank) > 0) ++sent_count;
    if (sides.received.bytes(rank) > 0) ++received_count;
    if (rank == own_rank_) continue;
    sizes.largest_bytes =
        std::max<std::uint64_t>({sizes.largest_bytes, sent.bytes(rank), sides.received.bytes(rank)});
  }
  sizes.filled_count = std::max(sent_count, received_count);
  // A plan that the class of this call does not have yet may come from elsewhere, and needs memory for copies.
  sizes.need_memory = sides.need_copies() ||
                      find([&](const AlltoallPlan& plan) { return plan.needs_memory(sides); }) != nullptr;
  return sizes;
}

/// Collective: returns the sizes of blocks of several sizes, and agrees on the time of the last measured call, which is
/// that of its slowest process. If the sides are invalid on any process, all throw as agree() does.
Exchange::Sizes Exchange::agree_on_sizes(Sides& sides) {
  MPI_Comm comm = context_->comm();
  Sizes own{};
  const auto failure = failure_of([&] {
    sides.require_valid(rank_count_, own_rank_);
    own = own_sizes(sides);
  });
  CandidateTrials* last = blocking_ == nullptr ? nullptr : &blocking_->trials();
  std::array<double, 7> largest{
      static_cast<double>(own.largest_bytes), static_cast<double>(own.process_bytes),
      static_cast<double>(own.sent_bytes),    own.need_memory ? 1.0 : 0.0,
      last ? last->pending_seconds() : 0,     failure ? 1.0 : 0.0,
      static_cast<double>(own.filled_count)};
  static_assert(largest.size() <= CommContext::most_reduced);
  context_->reduce_to_largest(largest);
  if (largest[5] > 0) agree(comm, failure);
  if (largest[4] > 0) last->record(largest[4]);
  if (context_->is_checked()) require_matching(sides);
  return {{static_cast<std::uint64_t>(largest[0]), static_cast<std::uint64_t>(largest[1]),
           static_cast<std::uint64_t>(largest[2])},
          largest[3] > 0,
          static_cast<std::size_t>(largest[6])};
}

/// Collective: every process tells every other one the size that it will send. All throw if a process expects another
/// size.
void Exchange::require_matching(const Sides& sides) const {
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
CandidatePlans& Exchange::plans_for(const ExchangeSizes& sizes) {
  const CallClass calls = class_of(kind_, sizes);
  if (!plans_.contains(calls)) {
    std::map<CallClass, CandidatePlans> made;
    agree_on_outcome(context_->comm(),
                     [&] { made.try_emplace(calls, trials_for_(calls.kind, sizes), make_plan_); });
    plans_.merge(made);
  }
  return plans_.find(calls)->second;
}

const CandidateTrials* Exchange::trials(CallKind kind) const {
  const CandidatePlans* plans = kind == CallKind::overlapped ? overlapped_ : blocking_;
  return plans == nullptr || plans->trials().tuner().has_rule() ? nullptr : &plans->trials();
}

bool Exchange::is_measuring(CallKind kind) const {
  const CandidateTrials* known = trials(kind);
  if (kind != CallKind::overlapped && are_mostly_empty_) return false;
  return known != nullptr && known->tuner().measures(block_bytes_.value_or(0));
}

bool Exchange::uses_mpi() const {
  if (leaves_all_to_mpi_) return true;
  if (kind_ == CallKind::unequal || blocking_ == nullptr) return false;
  return blocking_->chosen() && blocking_->chosen()->setup().backend == Backend::mpi;
}

bool Exchange::suits_packets() const {
  const Tuner& tuner = blocking_->trials().tuner();
  if (tuner.is_decided()) return tuner.candidates()[tuner.best()].backend == Backend::schedule;
  return std::ranges::none_of(tuner.candidates(),
                              [](const AlltoallCandidate& each) { return is_between_nodes(each.backend); });
}

void Exchange::record_last_times() {
  for (CandidatePlans* plans : {blocking_, overlapped_})
    if (plans != nullptr) plans->trials().record_last_time();
}

std::string Exchange::explain() const {
  std::string text = blocking_ == nullptr ? "" : blocking_->trials().text();
  if (block_bytes_ && trials(CallKind::blocking) == nullptr) return text;
  if (block_bytes_) return fmt::format("{}\nrequests and packets: {}\n", text, overlapped_->trials().text());
  if (last_candidate_ == nullptr) return "";
  if (are_mostly_empty_) text = "blocks are mostly empty, and only the 2^k-th calls agree";
  return fmt::format("{} the last time, with blocks of up to {} bytes and up to {} bytes of a process; {}",
                     to_string(*last_candidate_), last_sizes_.largest_bytes, last_sizes_.process_bytes, text);
}

template <typename Matches>
std::shared_ptr<AlltoallPlan> Exchange::find(Matches matches) const {
  for (const auto& [calls, plans] : plans_)
    if (auto plan = plans.find(matches)) return plan;
  return nullptr;
}

std::shared_ptr<AlltoallPlan> Exchange::find_plan(const AlltoallSetup& setup) const {
  return find([&](const AlltoallPlan& plan) { return plan.setup() == setup; });
}

}  // namespace cubefold::mpi
