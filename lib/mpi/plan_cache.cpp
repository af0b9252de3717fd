#include "plan_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "agreement.hpp"
#include "processes.hpp"
#include "settings.hpp"

namespace cubefold::mpi {

JobFacts job_facts(const VirtualComm& comm, const CommContext& context,
                   const std::optional<Machine>& machine) {
  std::optional<JobFacts> facts;
  agree_on_outcome(context.comm(), [&] {
    facts = JobFacts{.placement = comm.placement(),
                     .knows_network = comm.knows_network(),
                     .source = comm.source(),
                     .machine = machine};
    if (comm.sharing() != nullptr) facts->sharing = *comm.sharing();
  });
  facts->host_count = machine ? machine->host_count : host_count(context.comm());
  if (facts->sharing) {
    const auto own_group = static_cast<int>(facts->sharing->group_of(comm.rank()));
    facts->are_groups_on_hosts = NodeGroups::are_on_hosts(context.comm(), own_group);
  }
  facts->requests = requests_of_root(context.comm());
  if (const Hints* hints = comm.hints().get()) {
    if (hints->trials) facts->requests.round_count = hints->trials;
    facts->requests.queues = hints->queues.value_or(facts->requests.queues);
    facts->ports = hints->ports.value_or(facts->ports);
  }
  return std::move(*facts);
}

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
      facts_(facts),
      chooser_(std::make_unique<AlltoallChooser>(facts)),
      vectors_(std::make_unique<VectorPlans>(comm, context_, VectorChooser(std::move(facts)))),
      store_(std::move(store)) {}

PlanCache::~PlanCache() = default;

void PlanCache::make_chooser(const std::optional<Machine>& machine) {
  JobFacts facts = job_facts(*comm_, *context_, machine);
  agree_on_outcome(context_->comm(), [&] {
    facts_ = facts;
    chooser_ = std::make_unique<AlltoallChooser>(facts);
    vectors_ = std::make_unique<VectorPlans>(*comm_, context_, VectorChooser(std::move(facts)));
  });
}

/// Returns the trials of calls of a kind with such sizes. Where a rule has decided for blocks of one size, its reason
/// may be that of this size alone.
std::shared_ptr<CandidateTrials> PlanCache::trials_for(CallKind kind, const ExchangeSizes& sizes) {
  const CallClass calls = class_of(kind, sizes);
  const auto known = trials_.find(calls);
  if (known != trials_.end()) return known->second;
  Decision decision = chooser_->decide(kind, sizes);
  const bool is_measured = decision.round_count > 0;
  const bool is_stored = is_measured && !have_several_sizes(kind) && !context_->is_checked();
  TunedExchange exchange;
  if (is_stored)
    exchange = {fmt::format("{} {}", name_, placement_text(*comm_)), to_string(kind), calls.largest_width};
  auto trials = std::make_shared<CandidateTrials>(context_, Tuner(kind, std::move(decision)),
                                                  std::move(exchange), is_stored ? store_ : nullptr);
  if (is_measured) trials_.emplace(calls, trials);
  return trials;
}

/// Collective: makes the exchange of blocks of a size, or of several sizes. A rule's plan for one size is made at once.
std::shared_ptr<Exchange> PlanCache::make_exchange(CallKind kind, std::optional<std::size_t> block_bytes) {
  context_->largest(0);
  auto made = agree_on_outcome(context_->comm(), [&] {
    return std::make_shared<Exchange>(
        kind, block_bytes, context_,
        [this](CallKind calls, const ExchangeSizes& sizes) { return trials_for(calls, sizes); },
        [this, bytes = block_bytes.value_or(AlltoallChooser::typical_bytes)](const AlltoallCandidate& each) {
          return plan_of(each, bytes);
        });
  });
  if (block_bytes && made->trials(CallKind::blocking) == nullptr) made->plan_in_use();
  return made;
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
  if (typed_)
    if (auto plan = typed_->find_plan(setup)) return plan;
  if (is_between_nodes(setup.backend)) make_groups();
  return AlltoallPlan::make(*comm_, context_, setup, groups_);
}

void PlanCache::make_groups() {
  if (!groups_) groups_ = NodeGroups::make(*comm_, context_);
}

// All processes have the same sizes in the list in the same order.
std::shared_ptr<Exchange> PlanCache::for_blocks(std::optional<std::size_t> block_bytes) {
  // Sizes that differ have to be found before planning, because their plans may differ.
  if (block_bytes && context_->is_checked()) {
    context_->drain();
    context_->barrier_within_limit();
    require_equal_everywhere(context_->comm(), "block size", std::to_string(*block_bytes));
  }
  const auto found = std::ranges::find_if(
      recent_, [&](const auto& exchange) { return exchange->block_bytes() == block_bytes; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
    return recent_.front();
  }
  auto exchange = make_exchange(block_bytes ? CallKind::blocking : CallKind::unequal, block_bytes);
  std::list<std::shared_ptr<Exchange>> made;
  agree_on_outcome(context_->comm(), [&] { made.push_back(std::move(exchange)); });
  recent_.splice(recent_.begin(), made);
  if (recent_.size() > most_sizes) recent_.pop_back();
  return recent_.front();
}

std::shared_ptr<Exchange> PlanCache::for_typed_blocks() {
  if (!typed_) typed_ = make_exchange(CallKind::typed, std::nullopt);
  return typed_;
}

// All collective calls come first, because a process that has no memory for the text may throw alone.
std::string PlanCache::explain(std::size_t bytes) {
  const auto exchange = for_blocks(bytes);
  const auto unequal = for_blocks(std::nullopt);
  exchange->record_last_times();
  vectors_->prepare_all();
  const std::string remark = comm_->remark().empty() ? "" : comm_->remark() + "\n";
  return text_for(*exchange) + text_of(*unequal) + (typed_ ? text_of(*typed_) : "") +
         vectors_->text_for(bytes) + remark;
}

/// Returns the exchanges that were used, without those that are alike: of blocks of one size that whose size was used
/// last between two powers of two, of unequal blocks, and of several datatypes, in this order.
std::vector<const Exchange*> PlanCache::different_exchanges() const {
  std::map<int, const Exchange*> found;
  for (const auto& exchange : recent_) {
    const auto& bytes = exchange->block_bytes();
    found.try_emplace(bytes ? static_cast<int>(std::bit_width(*bytes)) : std::numeric_limits<int>::max(),
                      exchange.get());
  }
  std::vector<const Exchange*> exchanges;
  exchanges.reserve(found.size() + 1);
  for (const auto& [width, exchange] : found) exchanges.push_back(exchange);
  if (typed_) exchanges.push_back(typed_.get());
  return exchanges;
}

/// Returns the choice of each of different_exchanges(), and those of vectors.
std::vector<CallChoice> PlanCache::choices() const {
  std::vector<CallChoice> all;
  if (!vectors_) return all;  // the constructor has thrown
  const std::string nodes = nodes_text(*comm_);
  for (const Exchange* exchange : different_exchanges()) {
    const std::string reason = reason_of(*exchange);
    all.push_back({nodes, exchange->block_bytes() ? "equal" : to_string(exchange->kind()),
                   exchange->block_bytes(), title_of(*exchange), reason.substr(0, reason.find('\n'))});
  }
  for (CallChoice& choice : vectors_->choices()) {
    choice.nodes = nodes;
    all.push_back(std::move(choice));
  }
  return all;
}

std::string PlanCache::title_of(const Exchange& exchange) {
  return exchange.block_bytes() ? fmt::format("blocks of {} bytes", *exchange.block_bytes())
                                : fmt::format("{} blocks", to_string(exchange.kind()));
}

std::string PlanCache::reason_of(const Exchange& exchange) const {
  const std::string reason = exchange.explain();
  return reason.empty() && !exchange.block_bytes() ? chooser_->rule_for(exchange.kind()) : reason;
}

std::string PlanCache::text_of(const Exchange& exchange) const {
  return fmt::format("{}: {}{}", title_of(exchange), reason_of(exchange), exchange.block_bytes() ? "" : "\n");
}

std::string PlanCache::text_for(const Exchange& exchange) const {
  return (chooser_->refusal().empty() ? "" : chooser_->refusal() + "\n") + text_of(exchange);
}

}  // namespace cubefold::mpi
