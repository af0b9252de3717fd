#include "plan_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "agreement.hpp"
#include "collective/channel_order.hpp"
#include "collective/vector_on_nodes.hpp"
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
      chooser_(std::make_unique<AlltoallChooser>(facts)),
      vector_chooser_(std::make_unique<VectorChooser>(std::move(facts))),
      store_(std::move(store)) {}

PlanCache::~PlanCache() = default;

void PlanCache::make_chooser(const std::optional<Machine>& machine) {
  JobFacts facts = job_facts(*comm_, *context_, machine);
  agree_on_outcome(context_->comm(), [&] {
    chooser_ = std::make_unique<AlltoallChooser>(facts);
    vector_chooser_ = std::make_unique<VectorChooser>(std::move(facts));
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
        [this](CallKind kind, const ExchangeSizes& sizes) { return trials_for(kind, sizes); },
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

/// Collective: makes the plan of a method, or of MPI's own function. Its steps depend on data alone, so that all
/// messages are posted at once.
std::shared_ptr<AlltoallPlan> PlanCache::make_vector_plan(VectorCollective collective,
                                                          const std::optional<VectorMethod>& method) {
  const Rank rank = comm_->rank();
  std::optional<VectorSteps> steps;
  context_->largest(0);
  const LocalProgram program = agree_on_outcome(context_->comm(), [&] {
    if (!method) return LocalProgram{comm_->placement().rank_count(), 0, 0, {}, {}, {}, {}};
    const NodeSharing sharing = comm_->sharing() ? *comm_->sharing() : NodeSharing(comm_->placement(), 1);
    const Collective chunks = collective_of(collective, *method, sharing);
    steps = {*method, chunks.chunk_count()};
    const Schedule part = vector_parts(collective, *method, sharing).part(rank);
    return local_program(in_channel_order(part, method->channel_count), rank, chunks,
                         ScratchSlots::of_one_chunk);
  });
  const AlltoallSetup setup{.bytes_in_flight = std::numeric_limits<std::size_t>::max(),
                            .send_window_steps = unlimited_steps};
  return AlltoallPlan::make(context_, rank, program, setup, steps);
}

/// Collective: plans the methods of a collective. What takes memory is agreed on, because other processes may be about
/// to call MPI's own function.
void PlanCache::prepare(VectorCollective collective) {
  bool& is_prepared = are_prepared_.at(static_cast<std::size_t>(collective));
  if (is_prepared) return;
  context_->largest(0);
  agree_on_outcome(context_->comm(), [&] { vector_chooser_->prepare(collective); });
  is_prepared = true;
}

/// Collective: with CUBEFOLD_CHECK, throws on all processes if their vectors have different bytes.
void PlanCache::require_equal_vectors(std::size_t vector_bytes) {
  if (!context_->is_checked()) return;
  context_->drain();
  context_->barrier_within_limit();
  require_equal_everywhere(context_->comm(), "vector size", std::to_string(vector_bytes));
}

std::shared_ptr<AlltoallPlan> PlanCache::for_vector(const VectorCall& call) {
  require_equal_vectors(call.vector_bytes());
  return vector_plan_for(call);
}

bool PlanCache::fits_schedules(const VectorCall& call) const {
  return call.fits_schedules(comm_->sharing() != nullptr);
}

/// Collective: returns the plan of the method that the chooser decides on.
std::shared_ptr<AlltoallPlan> PlanCache::vector_plan_for(const VectorCall& call) {
  const VectorCollective collective = call.collective();
  prepare(collective);
  std::optional<VectorMethod> method;
  if (fits_schedules(call))
    method = vector_chooser_->method_for(collective, call.vector_bytes(), call.exactness());
  auto found = std::ranges::find_if(vector_plans_, [&](const auto& each) {
    const auto& steps = each.plan->vector_steps();
    return each.collective == collective && method == (steps ? std::optional(steps->method) : std::nullopt);
  });
  if (found == vector_plans_.end()) {
    auto plan = make_vector_plan(collective, method);
    decltype(vector_plans_) made;
    agree_on_outcome(context_->comm(),
                     [&] { made.push_back({.collective = collective, .plan = std::move(plan)}); });
    found = made.begin();
    vector_plans_.splice(vector_plans_.end(), made);
  }
  found->last_bytes = call.vector_bytes();
  found->exactness = call.exactness();
  found->fits_schedules = fits_schedules(call);
  return found->plan;
}

/// Collective: returns the plans among which the times of such calls choose, or null if there is no such choice.
/// Communicates only if there has been no call of the class.
CandidatePlans* PlanCache::measured_plans_for(const VectorCall& call) {
  prepare(call.collective());
  if (!fits_schedules(call)) return nullptr;
  const VectorCollective collective = call.collective();
  const VectorClass calls{collective, call.exactness(), std::bit_width(call.vector_bytes())};
  const auto known = measured_vectors_.find(calls);
  if (known != measured_vectors_.end()) return known->second ? &*known->second : nullptr;
  context_->largest(0);
  decltype(measured_vectors_) made;
  agree_on_outcome(context_->comm(), [&] {
    auto& plans = made[calls];
    Decision decision =
        vector_chooser_->measured_candidates(collective, call.vector_bytes(), call.exactness());
    if (decision.candidates.empty()) return;
    plans.emplace(std::make_shared<CandidateTrials>(context_, Tuner(CallKind::vector, std::move(decision))),
                  [this, collective](const AlltoallCandidate& each) {
                    return make_vector_plan(collective, each.vector_method);
                  });
  });
  measured_vectors_.merge(made);
  return measured_plans_for(call);
}

void PlanCache::run(const VectorCall& call) {
  const std::size_t bytes = call.vector_bytes();
  require_equal_vectors(bytes);
  CandidatePlans* measured = measured_plans_for(call);
  if (measured == nullptr) return vector_plan_for(call)->run(call);
  if (const auto plan = measured->plan_unmeasured(bytes)) return plan->run(call);
  context_->notify_on_failure([&] {
    const auto next = measured->plan_for(measured->trials().next(bytes), [](const auto&, bool) {});
    const double start = MPI_Wtime();
    next.plan->run(call);
    if (next.seconds) *next.seconds = MPI_Wtime() - start;
  });
}

// All collective calls come first, because a process that has no memory for the text may throw alone.
std::string PlanCache::explain(std::size_t bytes) {
  const auto exchange = for_blocks(bytes);
  const auto unequal = for_blocks(std::nullopt);
  exchange->record_last_times();
  for (const VectorCollective collective : all_vector_collectives) prepare(collective);
  const std::string remark = comm_->remark().empty() ? "" : comm_->remark() + "\n";
  return text_for(*exchange) + text_of(*unequal) + (typed_ ? text_of(*typed_) : "") + text_of_vectors(bytes) +
         remark;
}

/// Returns what is done with vectors of so many bytes, of floating-point numbers if they are reduced.
std::string PlanCache::text_of_vectors(std::size_t vector_bytes) const {
  std::string text;
  for (const VectorCollective collective : all_vector_collectives) {
    text += text_of(VectorPlanInUse{.collective = collective,
                                    .plan = nullptr,
                                    .last_bytes = vector_bytes,
                                    .exactness = Exactness::rounded,
                                    .fits_schedules = true}) +
            "\n";
  }
  return text;
}

std::string PlanCache::text_of(const VectorPlanInUse& vectors) const {
  const auto& [collective, plan, bytes, exactness, fits_schedules] = vectors;
  const auto measured = measured_vectors_.find({collective, exactness, std::bit_width(bytes)});
  if (plan == nullptr && measured != measured_vectors_.end() && measured->second)
    return fmt::format("{} of {} bytes: {}", to_string(collective), bytes, measured->second->trials().text());
  const std::string reason = fits_schedules ? vector_chooser_->decide(collective, bytes, exactness).reason
                                            : "MPI's own function: the operation or the datatype demands it";
  return fmt::format("{} of {} bytes: {}", to_string(collective), bytes, reason);
}

/// Returns a line for every two powers of two between which there were calls, about the size that was used last, one
/// for blocks of unequal sizes, one for blocks of several datatypes, and one for each plan of vectors.
std::string PlanCache::text_of_choices() const {
  std::map<int, std::string> lines;
  const auto add = [&](const Exchange& exchange, int unless_equal) {
    const auto& bytes = exchange.block_bytes();
    const std::string text = text_of(exchange);
    lines.try_emplace(bytes ? static_cast<int>(std::bit_width(*bytes)) : unless_equal,
                      text.substr(0, text.find('\n')));
  };
  for (const auto& exchange : recent_) add(*exchange, std::numeric_limits<int>::max() - 1);
  if (typed_) add(*typed_, std::numeric_limits<int>::max());
  std::string text;
  for (const auto& [width, line] : lines) text += fmt::format("cubefold: {}: {}\n", nodes_text(*comm_), line);
  for (const VectorPlanInUse& each : vector_plans_)
    text += fmt::format("cubefold: {}: {}\n", nodes_text(*comm_), text_of(each));
  for (const auto& [calls, plans] : measured_vectors_) {
    if (plans) {
      text += fmt::format("cubefold: {}: {}: {}\n", nodes_text(*comm_), to_string(std::get<0>(calls)),
                          plans->trials().text());
    }
  }
  return text;
}

std::string PlanCache::text_of(const Exchange& exchange) const {
  const std::string text = exchange.explain();
  if (exchange.block_bytes()) return fmt::format("blocks of {} bytes: {}", *exchange.block_bytes(), text);
  return fmt::format("{} blocks: {}\n", to_string(exchange.kind()),
                     text.empty() ? chooser_->rule_for(exchange.kind()) : text);
}

std::string PlanCache::text_for(const Exchange& exchange) const {
  return (chooser_->refusal().empty() ? "" : chooser_->refusal() + "\n") + text_of(exchange);
}

}  // namespace cubefold::mpi
