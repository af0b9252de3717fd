#include "plan_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "agreement.hpp"
#include "job_facts.hpp"
#include "machine_file.hpp"

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

/// Returns the measurements for the forms of calls with blocks of this size, which it makes if there are none. Does not
/// communicate.
PlanCache::Forms PlanCache::forms_of(std::size_t block_bytes) const {
  const auto width = static_cast<std::size_t>(std::bit_width(block_bytes));
  Forms forms = measured_[width];
  if (forms.back()) return forms;
  const auto processes = fmt::format("{} {}", name_, placement_text(*comm_));
  for (const CallKind form : {CallKind::blocking, CallKind::overlapped}) {
    forms[static_cast<std::size_t>(form)] = std::make_shared<CandidateTrials>(
        context_, chooser_->candidates(block_bytes, form), chooser_->round_count(),
        TunedExchange{processes, to_string(form), width}, context_->is_checked() ? nullptr : store_);
  }
  return forms;
}

/// Collective: returns the exchange of blocks of a size. If it fails on one process, no process keeps anything of it.
std::shared_ptr<TunedAlltoall> PlanCache::make_exchange(std::size_t block_bytes) {
  std::optional<AlltoallChoice> decided;
  Forms forms;
  std::shared_ptr<TunedAlltoall> made;
  agree_on_outcome(context_->comm(), [&] {
    decided = chooser_->decided(block_bytes);
    if (decided) return;
    forms = forms_of(block_bytes);
    made = std::make_shared<TunedAlltoall>(
        block_bytes, context_, forms[0], forms[1],
        [this, block_bytes](const AlltoallCandidate& each) { return plan_of(each, block_bytes); });
  });
  if (!decided) {
    measured_[static_cast<std::size_t>(std::bit_width(block_bytes))] = std::move(forms);
    return made;
  }
  auto plan = plan_of(decided->setup);
  agree_on_outcome(context_->comm(), [&] {
    made = std::make_shared<TunedAlltoall>(block_bytes, std::move(plan), std::move(decided->text));
  });
  return made;
}

/// Collective: returns a plan of a candidate. A barrier comes first, which also throws a failure of one of them.
std::shared_ptr<AlltoallPlan> PlanCache::plan_of(const AlltoallCandidate& candidate,
                                                 std::size_t block_bytes) {
  context_->largest(0);
  AlltoallSetup setup =
      agree_on_outcome(context_->comm(), [&] { return chooser_->setup_of(candidate, block_bytes); });
  return plan_of(setup);
}

void PlanCache::make_groups() {
  if (!groups_) groups_ = NodeGroups::make(*comm_, context_);
}

/// Returns a plan with this setup. Sizes with the same setup share a plan.
std::shared_ptr<AlltoallPlan> PlanCache::plan_of(const AlltoallSetup& setup) {
  for (const auto& exchange : recent_)
    if (auto plan = exchange->find_plan(setup)) return plan;
  if (is_between_nodes(setup.backend)) make_groups();
  return AlltoallPlan::make(*comm_, context_, setup, groups_);
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
  std::optional<UnequalSetup> setup =
      agree_on_outcome(context_->comm(), [&] { return chooser_->choose_for_unequal_blocks(); });
  const bool is_between_nodes = !setup->schedule.between_nodes.empty();
  if (is_between_nodes && !has_memory_for([&] { make_groups(); })) {
    setup->schedule.between_nodes.clear();
    setup->backends.front() = UnequalBackend::mpi;
    setup->backends.resize(1);
  }
  unequal_ = UnequalAlltoall::make(*comm_, context_, std::move(*setup), groups_);
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
