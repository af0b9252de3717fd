#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/exchange.hpp"
#include "support/exchange_world.hpp"

namespace cubefold::mpi {

/// Returns a setup for unequal blocks of a candidate.
inline AlltoallSetup setup_for(const AlltoallCandidate& candidate) {
  AlltoallSetup setup =
      setup_with(candidate.method.value_or(ExchangeMethod{ExchangeAlgorithm::linear, {}}), StepSync::data);
  setup.backend = candidate.backend;
  setup.send_window_steps = candidate.window_steps.value_or(setup.send_window_steps);
  return setup;
}

/// Returns an exchange of unequal blocks by the last of these setups, or by those before it where a process has no
/// memory for it. The communicator must outlive it.
inline std::shared_ptr<Exchange> unequal_exchange(const VirtualComm& comm,
                                                  const std::shared_ptr<CommContext>& context,
                                                  const std::vector<AlltoallSetup>& setups,
                                                  const std::shared_ptr<NodeGroups>& groups = nullptr) {
  Decision decision;
  for (const AlltoallSetup& setup : setups)
    decision.candidates.push_back({setup.method, 0, setup.backend, {}, setup.send_window_steps});
  const auto make_plan = [&comm, context, setups, groups, decision](const AlltoallCandidate& candidate) {
    const auto index = std::ranges::find(decision.candidates, candidate) - decision.candidates.begin();
    return AlltoallPlan::make(comm, context, setups[static_cast<std::size_t>(index)], groups);
  };
  const auto trials = [context, decision](CallKind kind, const ExchangeSizes&) {
    return std::make_shared<CandidateTrials>(context, Tuner(kind, decision));
  };
  return std::make_shared<Exchange>(std::nullopt, context, trials, make_plan);
}

}  // namespace cubefold::mpi
