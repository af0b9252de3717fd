#include "unequal_choice.hpp"

#include <cstdint>
#include <limits>

#include "measured_methods.hpp"

namespace cubefold {

namespace {

/// Returns the decision where ranks share nodes.
Decision decision_on_shared_nodes(const JobFacts& facts, const EqualBlocks& equal) {
  const AlltoallCandidate* chosen = equal.decision ? &equal.decision->candidates.front() : nullptr;
  const bool is_chosen = chosen != nullptr && chosen->backend == Backend::nodes;
  if (!is_chosen && (chosen != nullptr || !equal.may_go_between_nodes)) return {{mpi_candidate}};
  const bool is_linear = is_chosen && chosen->method == linear_method;
  const AlltoallCandidate leaders{
      is_linear ? linear_method : non_forwarding_method(facts.sharing->groups().grid()), 0, Backend::nodes};
  return {{mpi_candidate, leaders}, is_chosen ? 0 : facts.round_count()};
}

}  // namespace

Decision unequal_decision(const JobFacts& facts, const EqualBlocks& equal) {
  if (facts.sharing) return decision_on_shared_nodes(facts, equal);
  if (equal.decision && equal.decision->is_mpi_alone()) return {{mpi_candidate}};
  const ExchangeMethod method = non_forwarding_method(facts.placement.grid());
  const auto with_window = [&](std::size_t steps) {
    return AlltoallCandidate{method, 0, Backend::schedule, std::nullopt, steps};
  };
  Decision decision{{with_window(short_window_steps)}};
  if (!equal.decision) {
    decision.candidates = {mpi_candidate, {linear_method}};
    for (const std::size_t steps : {short_window_steps, long_window_steps, unlimited_steps}) {
      if (facts.queues() == Queues::lossless && steps != unlimited_steps) continue;
      decision.candidates.push_back(with_window(steps));
    }
    decision.round_count = facts.round_count();
  }
  // The times of a schedule by size are those of a machine file.
  if (facts.machine) decision.candidates.push_back({method, 0, Backend::by_size});
  return decision;
}

Decision typed_decision(const JobFacts& facts, const EqualBlocks& equal) {
  Decision decision = unequal_decision(facts, equal);
  const auto needs_sizes = [](const AlltoallCandidate& each) {
    return is_between_nodes(each.backend) || each.backend == Backend::by_size ||
           (each.backend == Backend::schedule && !each.window_steps);
  };
  const bool is_mpi_alone = decision.is_mpi_alone();
  std::erase_if(decision.candidates, needs_sizes);
  if (facts.sharing && !is_mpi_alone)
    decision.candidates.push_back({linear_method, 0, Backend::schedule, std::nullopt, unlimited_steps});
  return decision;
}

bool fits(const JobFacts& facts, const AlltoallCandidate& candidate, const CallClass& calls) {
  if (candidate.backend == Backend::schedule && candidate.method == linear_method)
    return calls.may_travel_at_once;
  if (candidate.backend != Backend::by_size) return true;
  constexpr std::size_t countable_width = std::numeric_limits<std::int32_t>::digits;
  const std::uint64_t rank_count = facts.placement.rank_count();
  // All numbers of a bit width w are at least 2^(w - 1).
  const std::uint64_t least_bytes = 4 * sizeof(std::uint32_t) * rank_count * rank_count;
  return rank_count <= most_ranks_by_size && calls.largest_width <= countable_width &&
         calls.process_width > 0 && std::uint64_t{1} << (calls.process_width - 1) >= least_bytes;
}

}  // namespace cubefold
