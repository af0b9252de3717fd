#include "neighbour_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "agreement.hpp"
#include "alltoall_request.hpp"
#include "collective/neighbour_recognition.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the ranks on `comm` of the processes of `graph`. Does not communicate.
std::vector<Rank> ranks_on(MPI_Comm comm, MPI_Comm graph) {
  const std::size_t count = process_count(graph);
  std::vector<int> from(count);
  std::vector<int> to(count);
  std::iota(from.begin(), from.end(), 0);
  MPI_Group graph_group = MPI_GROUP_NULL;
  MPI_Group comm_group = MPI_GROUP_NULL;
  check(MPI_Comm_group(graph, &graph_group), "MPI_Comm_group");
  check(MPI_Comm_group(comm, &comm_group), "MPI_Comm_group");
  const int code =
      MPI_Group_translate_ranks(graph_group, static_cast<int>(count), from.data(), comm_group, to.data());
  MPI_Group_free(&graph_group);
  MPI_Group_free(&comm_group);
  check(code, "MPI_Group_translate_ranks");
  std::vector<Rank> ranks;
  for (const int rank : to) {
    if (rank == MPI_UNDEFINED)
      throw std::invalid_argument("the graph has processes that the handle does not have");
    ranks.push_back(Rank{static_cast<std::uint32_t>(rank)});
  }
  return ranks;
}

std::vector<Rank> as_ranks(const std::vector<int>& numbers) {
  std::vector<Rank> ranks;
  ranks.reserve(numbers.size());
  for (const int number : numbers) ranks.push_back(Rank{static_cast<std::uint32_t>(number)});
  return ranks;
}

/// Returns whether MPI's own function is chosen.
bool is_mpi(const CandidatePlans& plans) {
  return plans.chosen() && !plans.chosen()->neighbours();
}

constexpr double most_seconds = 1e6;  // of a measured call

/// Returns a number whose largest of all processes says with shortest_seconds() how long a measured call took where it
/// was shortest, and that it failed if it did so on any of them.
double shortness_of(double seconds) {
  return std::isinf(seconds) ? 2 * most_seconds : most_seconds - std::min(seconds, most_seconds);
}

double shortest_seconds(double shortness) {
  return shortness > most_seconds ? std::numeric_limits<double>::infinity() : most_seconds - shortness;
}

}  // namespace

NeighbourPlans::NeighbourPlans(MPI_Comm graph, std::shared_ptr<CommContext> context, const JobFacts& facts)
    : graph_(graph), context_(std::move(context)), own_(rank_in(graph)) {
  context_->largest(0);
  agree_on_outcome(context_->comm(), [&] {
    auto lists = neighbours_of(graph_);
    if (!lists)
      throw std::invalid_argument("the communicator has no topology, so processes have no neighbours");
    lists_ = std::move(*lists);
    ranks_ = ranks_on(context_->comm(), graph_);
  });
  std::optional<NeighbourGrid> edges;
  if (reason_for_neighbours_of_mpi(facts).empty() && !lists_.is_cartesian) edges = recognised();
  agree_on_outcome(context_->comm(), [&] {
    if (edges) edge_of_destination_ = neighbour_slots(lists_, own_, *edges).edge_of_destination;
    chooser_.emplace(facts, std::move(edges), ranks_);
    nodes_ = !facts.knows_network ? "unknown network"
             : facts.sharing      ? to_string(*facts.sharing)
                                  : to_string(facts.placement.grid());
  });
}

/// Collective: the process with most edges proposes grids, by its own edges, and every process says which of them have
/// the edges that it has.
std::optional<NeighbourGrid> NeighbourPlans::recognised() {
  MPI_Comm comm = context_->comm();
  struct {
    int edge_count;
    int rank;
  } most{static_cast<int>(std::max(lists_.destinations.size(), lists_.sources.size())), rank_in(comm)};
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_2INT, MPI_MAXLOC, comm), "MPI_Allreduce");
  if (most.edge_count < 3 || static_cast<std::size_t>(most.edge_count) > most_recognised_edges)
    return std::nullopt;
  // The number of edges, the rank on the graph, and the destinations.
  std::vector<int> proposal(most_recognised_edges + 2);
  if (rank_in(comm) == most.rank) {
    proposal[0] = static_cast<int>(lists_.destinations.size());
    proposal[1] = own_;
    std::ranges::copy(lists_.destinations, proposal.begin() + 2);
  }
  check(MPI_Bcast(proposal.data(), most.edge_count + 2, MPI_INT, most.rank, comm), "MPI_Bcast");
  std::vector<NeighbourGrid> grids;
  std::uint64_t fitting = 0;
  agree_on_outcome(comm, [&] {
    const std::vector<int> destinations(proposal.begin() + 2, proposal.begin() + 2 + proposal[0]);
    grids = possible_neighbour_grids(ranks_.size(), Rank{static_cast<std::uint32_t>(proposal[1])},
                                     as_ranks(destinations));
    for (std::size_t i = 0; i < grids.size(); ++i) {
      const bool fits = has_edges(grids[i], Rank{static_cast<std::uint32_t>(own_)}, as_ranks(lists_.sources),
                                  as_ranks(lists_.destinations));
      fitting |= std::uint64_t{fits ? 1U : 0U} << i;
    }
  });
  static_assert(most_neighbour_grids <= 64);
  check(MPI_Allreduce(MPI_IN_PLACE, &fitting, 1, MPI_UINT64_T, MPI_BAND, comm), "MPI_Allreduce");
  if (fitting == 0) return std::nullopt;
  return std::move(grids[static_cast<std::size_t>(std::countr_zero(fitting))]);
}

std::string NeighbourPlans::text_for(std::size_t block_bytes) const {
  const Class calls = class_of(block_bytes);
  const auto edge_bytes = equal_bytes(block_bytes);
  const auto known = plans_.find(calls);
  const std::string blocking = known != plans_.end()
                                   ? known->second.trials().text()
                                   : Tuner(CallKind::blocking, chooser_->decide(edge_bytes)).text();
  std::string text = fmt::format("neighbours with blocks of {} bytes: {}; requests: {}\n", block_bytes,
                                 blocking, to_string(chooser_->method_of_requests(edge_bytes)));
  if (last_unequal_ != nullptr) {
    text += fmt::format("neighbours with blocks of several sizes the last time{}: {}\n",
                        has_stencil() ? fmt::format(", with {} bytes on all edges", agreed_->bytes) : "",
                        last_unequal_->trials().text());
  }
  return text;
}

/// Returns the choice of each class of calls, or the reason why all are left to MPI.
std::vector<CallChoice> NeighbourPlans::choices() const {
  std::vector<CallChoice> all;
  if (!chooser_) return all;  // the constructor has thrown
  const std::string name = "neighbours";
  for (const auto& [calls, plans] : plans_) {
    const std::uint64_t bytes = (std::uint64_t{1} << calls.width) - 1;
    const std::string choice = plans.trials().text();
    if (calls.kind == CallKind::blocking) {
      all.push_back({nodes_, name, static_cast<std::size_t>(bytes),
                     fmt::format("neighbours with blocks of up to {} bytes", bytes), choice});
    }
    if (calls.kind == CallKind::unequal) {
      const std::string sizes = has_stencil() ? fmt::format(", up to {} bytes on all edges", bytes) : "";
      all.push_back({nodes_, name, std::nullopt,
                     fmt::format("neighbours with blocks of several sizes{}", sizes), choice});
    }
  }
  if (plans_.empty() && leaves_all_to_mpi())
    all.push_back({nodes_, name, std::nullopt, name, chooser_->decide({}).reason});
  return all;
}

std::vector<std::uint64_t> NeighbourPlans::equal_bytes(std::uint64_t bytes) const {
  std::vector<std::uint64_t> all;
  if (has_stencil()) all.resize(chooser_->edges()->edge_count(), bytes);
  return all;
}

/// Collective: returns the plan of a method, or one without messages that stands for MPI's own function.
std::shared_ptr<AlltoallPlan> NeighbourPlans::make_plan(const std::optional<NeighbourMethod>& method) {
  auto& plan = made_.at(method ? 1 + static_cast<std::size_t>(*method) : 0);
  if (plan) return plan;
  context_->largest(0);
  LocalProgram program{ranks_.size(), 0, 0, {}, {}, {}, {}};
  std::shared_ptr<const NeighbourSlots> slots;
  agree_on_outcome(context_->comm(), [&] {
    if (!method) return;
    const bool combines = method == NeighbourMethod::combined && has_stencil();
    auto made = neighbour_program(lists_, own_, ranks_, combines ? &*chooser_->edges() : nullptr);
    program = std::move(made.program);
    slots = std::make_shared<const NeighbourSlots>(std::move(made.slots));
  });
  const AlltoallSetup setup{.bytes_in_flight = std::numeric_limits<std::size_t>::max(),
                            .send_window_steps = unlimited_steps};
  const Rank rank = ranks_[static_cast<std::size_t>(own_)];
  plan = AlltoallPlan::make(context_, rank, program, setup, std::nullopt, std::move(slots));
  return plan;
}

/// Collective: returns the plans of the candidates for such calls. Communicates only if there are none yet.
CandidatePlans& NeighbourPlans::plans_for(const Class& calls, const std::vector<std::uint64_t>& edge_bytes) {
  const auto found = plans_.find(calls);
  if (found != plans_.end()) return found->second;
  context_->largest(0);
  std::map<Class, CandidatePlans> made;
  agree_on_outcome(context_->comm(), [&] {
    Decision decision = chooser_->decide(edge_bytes);
    if (calls.kind == CallKind::overlapped)
      decision = {{{.neighbour_method = chooser_->method_of_requests(edge_bytes)}}};
    Tuner tuner(calls.kind, std::move(decision));
    tuner.measure_every_call();  // trials are limited here
    made.try_emplace(calls, std::make_shared<CandidateTrials>(context_, std::move(tuner)),
                     [this](const AlltoallCandidate& each) { return make_plan(each.neighbour_method); });
  });
  plans_.merge(made);
  return plans_.find(calls)->second;
}

/// Collective: with CUBEFOLD_CHECK, throws on all processes if their blocks have different sizes.
void NeighbourPlans::require_equal_sizes(std::size_t block_bytes) {
  if (!context_->is_checked()) return;
  context_->drain();
  context_->barrier_within_limit();
  require_equal_everywhere(context_->comm(), "block size", std::to_string(block_bytes));
}

void NeighbourPlans::call_mpi(const NeighbourCall& call) {
  context_->drain();
  context_->barrier_within_limit();
  check(call.call_mpi(graph_), "MPI_Neighbor_alltoall");
}

void NeighbourPlans::perform(AlltoallPlan& plan, const NeighbourCall& call,
                             const std::vector<std::uint64_t>& edge_bytes) {
  if (!plan.neighbours()) return call_mpi(call);
  plan.run(call, plan.neighbours()->edge_count > 0 ? edge_bytes : std::vector<std::uint64_t>());
}

void NeighbourPlans::run(NeighbourCall call) {
  context_->notify_on_failure([&] {
    const auto block_bytes = call.block_bytes();
    if (block_bytes) require_equal_sizes(*block_bytes);
    if (block_bytes || leaves_all_to_mpi()) call.require_valid(destination_count(), source_count());
    if (leaves_all_to_mpi()) return call_mpi(call);
    block_bytes ? run_equal(call, *block_bytes) : run_unequal(call);
  });
}

/// Returns whether the next call with such blocks is one of the trial that has begun.
bool NeighbourPlans::goes_on(const CandidatePlans& plans, std::size_t bytes) const {
  return trial_ && trial_->plans == &plans && trial_->bytes == bytes && trial_->calls < calls_of_trial - 1;
}

/// Collective: performs a call that may be the first one of a trial.
void NeighbourPlans::begin_trial(CandidatePlans& plans, std::size_t bytes, bool have_agreed,
                                 const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes) {
  trial_.reset();
  const auto next = plans.plan_for(plans.trials().next(bytes, have_agreed), [](const auto&, bool) {});
  const double start = MPI_Wtime();
  perform(*next.plan, call, edge_bytes);
  if (!next.seconds) return;
  *next.seconds = MPI_Wtime() - start;
  trial_ = Trial{&plans, bytes, next.plan, next.seconds};
}

/// Performs the next call of the trial, which agrees on nothing.
void NeighbourPlans::go_on(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes) {
  const double start = MPI_Wtime();
  perform(*trial_->plan, call, edge_bytes);
  trial_->sum_seconds += MPI_Wtime() - start;
  *trial_->seconds = trial_->sum_seconds / static_cast<double>(++trial_->calls);
}

void NeighbourPlans::run_equal(const NeighbourCall& call, std::size_t block_bytes) {
  const auto edge_bytes = equal_bytes(block_bytes);
  CandidatePlans& plans = plans_for(class_of(block_bytes), edge_bytes);
  if (goes_on(plans, block_bytes)) return go_on(call, edge_bytes);
  if (const auto plan = plans.plan_unmeasured(block_bytes)) return perform(*plan, call, edge_bytes);
  CandidateTrials& trials = plans.trials();
  const bool is_pending = trials.pending_seconds() > 0;
  if (is_pending) {
    context_->drain();
    trials.record(shortest_seconds(context_->largest(shortness_of(trials.pending_seconds()))));
  }
  begin_trial(plans, block_bytes, is_pending, call, edge_bytes);
}

/// Collective: finds the largest block of each edge, and agrees on the time of the last measured call. If the arguments
/// are invalid on any process, all throw as agree() does.
void NeighbourPlans::agree_on_sizes(NeighbourCall& call) {
  context_->drain();
  context_->barrier_within_limit();
  const std::size_t edge_count = has_stencil() ? chooser_->edges()->edge_count() : 0;
  std::vector<std::uint64_t> largest;  // of each edge; then shortness_of() the trial in ns; then failures
  agree_on_outcome(context_->comm(), [&] { largest.resize(edge_count + 2); });
  const auto failure = failure_of([&] {
    call.require_valid(destination_count(), source_count());
    for (std::size_t i = 0; i < edge_of_destination_.size(); ++i) {
      if (const auto& edge = edge_of_destination_[i])
        largest[*edge] = call.sent().bytes(call.gathers() ? 0 : i);
    }
  });
  constexpr double per_second = 1e9;
  CandidateTrials* last = last_unequal_ == nullptr ? nullptr : &last_unequal_->trials();
  const bool is_pending = last != nullptr && last->pending_seconds() > 0;
  if (is_pending)
    largest[edge_count] = static_cast<std::uint64_t>(shortness_of(last->pending_seconds()) * per_second);
  largest[edge_count + 1] = failure ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_UINT64_T, MPI_MAX,
                      context_->comm()),
        "MPI_Allreduce");
  if (largest[edge_count + 1] != 0) agree(context_->comm(), failure);
  if (is_pending) last->record(shortest_seconds(static_cast<double>(largest[edge_count]) / per_second));
  largest.resize(edge_count);
  agreed_ = Agreed{largest, std::accumulate(largest.begin(), largest.end(), std::uint64_t{0}), std::nullopt};
}

/// Returns whether processes agree on sizes in a call with blocks of several sizes, of which the first one is call 1.
bool NeighbourPlans::agrees_on_sizes_in(std::uint64_t call) const {
  if (context_->is_checked() || last_unequal_ == nullptr) return true;
  const bool is_trial = calls_of_class_ < most_trial_calls && !last_unequal_->trials().tuner().is_decided();
  if (is_trial) return calls_of_class_ % calls_of_trial == 0;
  const std::uint64_t calls_between = is_mpi(*last_unequal_) ? most_calls_of_mpi_between : most_calls_between;
  return std::has_single_bit(call) || call % calls_between == 0;
}

bool NeighbourPlans::leaves_next_to_mpi(std::size_t block_bytes) {
  const auto known = plans_.find(class_of(block_bytes));
  return known != plans_.end() && !context_->is_checked() && is_mpi(known->second) &&
         known->second.plan_unmeasured(block_bytes);
}

bool NeighbourPlans::leaves_next_to_mpi() {
  const bool agrees = agrees_on_sizes_in(unequal_calls_ + 1);
  if (agrees || !is_mpi(*last_unequal_) || goes_on(*last_unequal_, 0)) return false;
  ++unequal_calls_;
  ++calls_of_class_;
  return true;
}

/// Performs a call that agrees on nothing.
void NeighbourPlans::run_as_agreed(NeighbourCall& call) {
  call.require_valid(destination_count(), source_count());
  if (goes_on(*last_unequal_, 0)) return go_on(call, agreed_->edge_bytes);
  perform(*last_unequal_->plan_in_use(), call, agreed_->edge_bytes);
}

void NeighbourPlans::run_unequal(NeighbourCall& call) {
  if (!agrees_on_sizes_in(++unequal_calls_)) {
    ++calls_of_class_;
    return run_as_agreed(call);
  }
  agree_on_sizes(call);
  CandidatePlans& plans = plans_for(
      {CallKind::unequal, static_cast<std::size_t>(std::bit_width(agreed_->bytes))}, agreed_->edge_bytes);
  calls_of_class_ = last_unequal_ == &plans ? calls_of_class_ + 1 : 1;
  last_unequal_ = &plans;
  begin_trial(plans, 0, true, call, agreed_->edge_bytes);
}

std::unique_ptr<AlltoallRequest> NeighbourPlans::prepare(NeighbourCall call, Agreement agreement) {
  return context_->notify_on_failure([&] {
    const auto block_bytes = call.block_bytes();
    if (!block_bytes) return prepare_unequal(call, agreement);
    require_equal_sizes(*block_bytes);
    call.require_valid(destination_count(), source_count());
    return prepare_equal(call, *block_bytes);
  });
}

std::unique_ptr<AlltoallRequest> NeighbourPlans::prepare_equal(const NeighbourCall& call,
                                                               std::size_t block_bytes) {
  const auto edge_bytes = equal_bytes(block_bytes);
  CandidatePlans& plans =
      plans_for({CallKind::overlapped, static_cast<std::size_t>(std::bit_width(block_bytes))}, edge_bytes);
  const auto plan = plans.plan_in_use();
  return plan->prepare(call, plan->neighbours()->edge_count > 0 ? edge_bytes : std::vector<std::uint64_t>());
}

/// All processes make their calls in the same order, so they have agreed on the same sizes before this one.
std::unique_ptr<AlltoallRequest> NeighbourPlans::prepare_unequal(NeighbourCall& call, Agreement agreement) {
  if (agreement == Agreement::on_sizes && has_stencil()) {
    agree_on_sizes(call);
  } else {
    call.require_valid(destination_count(), source_count());
  }
  if (!has_stencil() || !agreed_) return make_plan(NeighbourMethod::direct)->prepare(call, {});
  if (!agreed_->of_requests) agreed_->of_requests = chooser_->method_of_requests(agreed_->edge_bytes);
  const bool combines = agreed_->of_requests == NeighbourMethod::combined;
  return make_plan(*agreed_->of_requests)
      ->prepare(call, combines ? agreed_->edge_bytes : std::vector<std::uint64_t>());
}

}  // namespace cubefold::mpi
