#include "plan_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "agreement.hpp"
#include "job_facts.hpp"
#include "job_files.hpp"

namespace cubefold::mpi {

PlanCache::PlanCache(const VirtualComm& comm) : comm_(&comm) {
  context_ = CommContext::on(comm.virtual_comm());
  make_chooser(machine_from_environment(context_->comm(), comm.network(), comm.hints().get()));
  store_ = TuningStore::from_environment(context_->comm(), comm.grid(), comm.hints().get());
  agree_on_outcome(context_->comm(), [&] { name_ = nodes_text(comm); });
}

PlanCache::PlanCache(const VirtualComm& comm, const std::optional<Machine>& machine,
                     std::shared_ptr<TuningStore> store, std::string name)
    : comm_(&comm), name_(std::move(name)), store_(std::move(store)) {
  context_ = CommContext::on(comm.virtual_comm());
  make_chooser(machine);
}

PlanCache::PlanCache(const VirtualComm& comm, std::shared_ptr<CommContext> context, JobFacts facts,
                     std::shared_ptr<TuningStore> store)
    : comm_(&comm),
      name_(nodes_text(comm)),
      context_(std::move(context)),
      chooser_(std::make_unique<AlltoallChooser>(std::move(facts))),
      store_(std::move(store)) {}

PlanCache::~PlanCache() = default;

void PlanCache::make_chooser(const std::optional<Machine>& machine) {
  JobFacts facts = job_facts(*comm_, *context_, machine);
  agree_on_outcome(context_->comm(), [&] { chooser_ = std::make_unique<AlltoallChooser>(std::move(facts)); });
}

namespace {

ExchangeSizes equal_sizes(std::size_t block_bytes) {
  return {block_bytes, block_bytes, block_bytes};
}

}  // namespace

/// Returns new trials of calls with blocks of this size. Does not communicate.
std::shared_ptr<CandidateTrials> PlanCache::make_trials(CallKind kind, std::size_t block_bytes,
                                                        Decision decision) const {
  const TunedExchange calls{fmt::format("{} {}", name_, placement_text(*comm_)), to_string(kind),
                            class_of(kind, equal_sizes(block_bytes)).largest_width};
  return std::make_shared<CandidateTrials>(context_, Tuner(kind, std::move(decision)), calls,
                                           context_->is_checked() ? nullptr : store_);
}

/// Collective: returns the exchange of blocks of a size. If it fails on one process, no process keeps anything of it.
std::shared_ptr<TunedAlltoall> PlanCache::make_exchange(std::size_t block_bytes) {
  const ExchangeSizes sizes = equal_sizes(block_bytes);
  std::optional<Decision> ruled;
  std::map<CallClass, std::shared_ptr<CandidateTrials>> trials;
  std::shared_ptr<TunedAlltoall> made;
  agree_on_outcome(context_->comm(), [&] {
    for (const CallKind kind : {CallKind::blocking, CallKind::overlapped}) {
      const auto known = trials_.find(class_of(kind, sizes));
      if (known != trials_.end()) {
        trials.insert(*known);
        continue;
      }
      Decision decision = chooser_->decide(kind, sizes);
      if (decision.round_count == 0) {
        ruled = std::move(decision);
        return;
      }
      trials.emplace(class_of(kind, sizes), make_trials(kind, block_bytes, std::move(decision)));
    }
    made = std::make_shared<TunedAlltoall>(
        block_bytes, context_, trials.begin()->second, trials.rbegin()->second,
        [this, block_bytes](const AlltoallCandidate& each) { return plan_of(each, block_bytes); });
  });
  trials_.merge(trials);
  if (made) return made;
  auto plan = plan_of(ruled->candidates.back(), block_bytes);
  return agree_on_outcome(context_->comm(), [&] {
    return std::make_shared<TunedAlltoall>(block_bytes, std::move(plan), std::move(ruled->reason));
  });
}

/// Collective: returns a plan of a candidate. Sizes with the same setup share a plan. A barrier comes first, which also
/// throws a failure of one of them.
std::shared_ptr<AlltoallPlan> PlanCache::plan_of(const AlltoallCandidate& candidate,
                                                 std::size_t block_bytes) {
  context_->largest(0);
  const AlltoallSetup setup =
      agree_on_outcome(context_->comm(), [&] { return chooser_->setup_of(candidate, block_bytes); });
  for (const auto& exchange : recent_)
    if (auto plan = exchange->find_plan(setup)) return plan;
  if (unequal_)
    if (auto plan = unequal_->find_plan(setup)) return plan;
  if (is_between_nodes(setup.backend)) make_groups();
  return AlltoallPlan::make(*comm_, context_, setup, groups_);
}

void PlanCache::make_groups() {
  if (!groups_) groups_ = NodeGroups::make(*comm_, context_);
}

// All processes have the same sizes in the list in the same order.
std::shared_ptr<TunedAlltoall> PlanCache::for_blocks(std::size_t block_bytes) {
  // Sizes that differ have to be found before planning, because their plans may differ.
  if (context_->is_checked()) {
    context_->drain();
    context_->barrier_within_limit();
    require_equal_everywhere(context_->comm(), "block size", std::to_string(block_bytes));
  }
  const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const auto& exchange) {
    return exchange->block_bytes() == block_bytes;
  });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
    return recent_.front();
  }
  context_->largest(0);
  auto exchange = make_exchange(block_bytes);
  std::list<std::shared_ptr<TunedAlltoall>> made;
  agree_on_outcome(context_->comm(), [&] { made.push_back(std::move(exchange)); });
  recent_.splice(recent_.begin(), made);
  if (recent_.size() > most_sizes) recent_.pop_back();
  return recent_.front();
}

std::shared_ptr<UnequalAlltoall> PlanCache::for_unequal_blocks() {
  if (unequal_) return unequal_;
  context_->largest(0);
  unequal_ = agree_on_outcome(context_->comm(), [&] {
    return std::make_shared<UnequalAlltoall>(
        context_, comm_->rank(),
        [this](const ExchangeSizes& sizes) { return chooser_->decide(CallKind::unequal, sizes); },
        [this](const AlltoallCandidate& each) { return plan_of(each, AlltoallChooser::typical_bytes); },
        chooser_->rule_for_unequal_blocks());
  });
  return unequal_;
}

// All collective calls come first, because a process that has no memory for the text may throw alone.
std::string PlanCache::explain(std::size_t block_bytes) {
  const auto exchange = for_blocks(block_bytes);
  const auto unequal = for_unequal_blocks();
  exchange->record_last_times();
  const std::string remark = comm_->remark().empty() ? "" : comm_->remark() + "\n";
  return fmt::format("{}unequal blocks: {}\n{}", text_for(*exchange), unequal->explain(), remark);
}

/// Returns a line for every two powers of two between which there were calls, about the size that was used last, and
/// one for blocks of unequal sizes.
std::string PlanCache::text_of_choices() const {
  std::map<int, std::string> lines;
  for (const auto& exchange : recent_) {
    const std::string text = exchange->explain();
    lines.try_emplace(
        static_cast<int>(std::bit_width(exchange->block_bytes())),
        fmt::format("blocks of {} bytes: {}", exchange->block_bytes(), text.substr(0, text.find('\n'))));
  }
  if (unequal_) lines.emplace(std::numeric_limits<int>::max(), "unequal blocks: " + unequal_->explain());
  std::string text;
  for (const auto& [width, line] : lines) text += fmt::format("cubefold: {}: {}\n", nodes_text(*comm_), line);
  return text;
}

std::string PlanCache::text_for(const TunedAlltoall& exchange) const {
  const std::string refusal = chooser_->refusal().empty() ? "" : chooser_->refusal() + "\n";
  return fmt::format("{}blocks of {} bytes: {}", refusal, exchange.block_bytes(), exchange.explain());
}

}  // namespace cubefold::mpi
