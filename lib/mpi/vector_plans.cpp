#include "vector_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "agreement.hpp"
#include "collective/channel_order.hpp"
#include "collective/vector_on_nodes.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

VectorPlans::VectorPlans(const VirtualComm& comm, std::shared_ptr<CommContext> context, VectorChooser chooser)
    : comm_(&comm), context_(std::move(context)), chooser_(std::move(chooser)) {}

/// Collective: makes the plan of a method, or of MPI's own function. Its steps depend on data alone, so that all
/// messages are posted at once.
std::shared_ptr<AlltoallPlan> VectorPlans::make_plan(VectorCollective collective,
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
void VectorPlans::prepare(VectorCollective collective) {
  bool& is_prepared = are_prepared_.at(static_cast<std::size_t>(collective));
  if (is_prepared) return;
  context_->largest(0);
  agree_on_outcome(context_->comm(), [&] { chooser_.prepare(collective); });
  is_prepared = true;
}

/// Collective: with CUBEFOLD_CHECK, throws on all processes if their vectors have different bytes.
void VectorPlans::require_equal_sizes(std::size_t vector_bytes) {
  if (!context_->is_checked()) return;
  context_->drain();
  context_->barrier_within_limit();
  require_equal_everywhere(context_->comm(), "vector size", std::to_string(vector_bytes));
}

std::shared_ptr<AlltoallPlan> VectorPlans::for_call(const VectorCall& call) {
  require_equal_sizes(call.vector_bytes());
  return decided_plan(call);
}

bool VectorPlans::fits_schedules(const VectorCall& call) const {
  return call.fits_schedules(comm_->sharing() != nullptr);
}

/// Collective: returns the plan of the method that the chooser decides on.
std::shared_ptr<AlltoallPlan> VectorPlans::decided_plan(const VectorCall& call) {
  const VectorCollective collective = call.collective();
  prepare(collective);
  std::optional<VectorMethod> method;
  if (fits_schedules(call)) method = chooser_.method_for(collective, call.vector_bytes(), call.exactness());
  auto found = std::ranges::find_if(plans_, [&](const auto& each) {
    const auto& steps = each.plan->vector_steps();
    return each.collective == collective && method == (steps ? std::optional(steps->method) : std::nullopt);
  });
  if (found == plans_.end()) {
    auto plan = make_plan(collective, method);
    decltype(plans_) made;
    agree_on_outcome(context_->comm(),
                     [&] { made.push_back({.collective = collective, .plan = std::move(plan)}); });
    found = made.begin();
    plans_.splice(plans_.end(), made);
  }
  found->last_bytes = call.vector_bytes();
  found->exactness = call.exactness();
  found->fits_schedules = fits_schedules(call);
  return found->plan;
}

/// Collective: returns the plans among which the times of such calls choose, or null if there is no such choice.
/// Communicates only if there has been no call of the class.
CandidatePlans* VectorPlans::measured_plans(const VectorCall& call) {
  prepare(call.collective());
  if (!fits_schedules(call)) return nullptr;
  const VectorCollective collective = call.collective();
  const Class calls{collective, call.exactness(), std::bit_width(call.vector_bytes())};
  const auto known = measured_.find(calls);
  if (known != measured_.end()) return known->second ? &*known->second : nullptr;
  context_->largest(0);
  decltype(measured_) made;
  agree_on_outcome(context_->comm(), [&] {
    auto& plans = made[calls];
    Decision decision = chooser_.measured_candidates(collective, call.vector_bytes(), call.exactness());
    if (decision.candidates.empty()) return;
    plans.emplace(std::make_shared<CandidateTrials>(context_, Tuner(CallKind::vector, std::move(decision))),
                  [this, collective](const AlltoallCandidate& each) {
                    return make_plan(collective, each.vector_method);
                  });
  });
  measured_.merge(made);
  return measured_plans(call);
}

void VectorPlans::run(const VectorCall& call) {
  const std::size_t bytes = call.vector_bytes();
  require_equal_sizes(bytes);
  CandidatePlans* measured = measured_plans(call);
  if (measured == nullptr) return decided_plan(call)->run(call);
  if (const auto plan = measured->plan_unmeasured(bytes)) return plan->run(call);
  context_->notify_on_failure([&] {
    const auto next = measured->plan_for(measured->trials().next(bytes), [](const auto&, bool) {});
    const double start = MPI_Wtime();
    next.plan->run(call);
    if (next.seconds) *next.seconds = MPI_Wtime() - start;
  });
}

void VectorPlans::prepare_all() {
  for (const VectorCollective collective : all_vector_collectives) prepare(collective);
}

/// Returns the state of the measurements for such calls, or the reason of the chooser.
std::string VectorPlans::reason_for(VectorCollective collective, std::size_t vector_bytes,
                                    Exactness exactness) const {
  const auto measured = measured_.find({collective, exactness, std::bit_width(vector_bytes)});
  return measured != measured_.end() && measured->second
             ? measured->second->trials().text()
             : chooser_.decide(collective, vector_bytes, exactness).reason;
}

std::string VectorPlans::text_for(std::size_t vector_bytes) const {
  std::string text;
  for (const VectorCollective collective : all_vector_collectives) {
    text += fmt::format("{} of {} bytes: {}\n", to_string(collective), vector_bytes,
                        reason_for(collective, vector_bytes, Exactness::rounded));
  }
  return text;
}

std::vector<CallChoice> VectorPlans::choices() const {
  std::vector<CallChoice> all;
  for (const auto& [collective, plan, bytes, exactness, fits_schedules] : plans_) {
    const std::string reason = fits_schedules ? chooser_.decide(collective, bytes, exactness).reason
                                              : "MPI's own function: the datatype demands it";
    all.push_back({"", std::string(to_string(collective)), bytes,
                   fmt::format("{} of {} bytes", to_string(collective), bytes), reason});
  }
  for (const auto& [calls, plans] : measured_) {
    if (!plans) continue;
    const auto& [collective, exactness, width] = calls;
    const std::size_t most = (std::size_t{1} << width) - 1;
    all.push_back({"", std::string(to_string(collective)), most,
                   fmt::format("{} of up to {} bytes", to_string(collective), most), plans->trials().text()});
  }
  return all;
}

}  // namespace cubefold::mpi
