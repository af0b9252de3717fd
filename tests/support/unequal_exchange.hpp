#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/exchange.hpp"
#include "support/exchange_world.hpp"
#include "support/numbered_blocks.hpp"
#include "support/spread_type.hpp"

namespace cubefold::mpi {

/// Returns a setup for unequal blocks of a candidate.
inline AlltoallSetup setup_for(const AlltoallCandidate& candidate) {
  AlltoallSetup setup =
      setup_with(candidate.method.value_or(ExchangeMethod{ExchangeAlgorithm::linear, {}}), StepSync::data);
  setup.backend = candidate.backend;
  setup.send_window_steps = candidate.window_steps.value_or(setup.send_window_steps);
  return setup;
}

/// Returns an exchange of blocks of unequal sizes or several datatypes by the last of these setups, or by those before
/// it where a process has no memory for it. The communicator must outlive it.
inline std::shared_ptr<Exchange> unequal_exchange(const VirtualComm& comm,
                                                  const std::shared_ptr<CommContext>& context,
                                                  const std::vector<AlltoallSetup>& setups,
                                                  const std::shared_ptr<NodeGroups>& groups = nullptr,
                                                  CallKind calls = CallKind::unequal) {
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
  return std::make_shared<Exchange>(calls, std::nullopt, context, trials, make_plan);
}

/// Exchanges up to 200 pairs of numbers with gaps between them for each rank, as many as pairs(from, to) says, at
/// places in descending order of ranks, and expects that they arrive and that the gaps stay.
template <typename Pairs>
void expect_pairs_exchanged(Exchange& exchange, int rank, int size, Pairs pairs) {
  constexpr int most = 200;
  const SpreadType pair(2);
  std::vector<int> send_counts;
  std::vector<int> receive_counts;
  std::vector<int> places;
  for (int other = 0; other < size; ++other) {
    send_counts.push_back(pairs(rank, other));
    receive_counts.push_back(pairs(other, rank));
    places.push_back((size - 1 - other) * most);
  }
  std::vector<int> send(static_cast<std::size_t>(size) * most * 4, -2);
  std::vector<int> receive(send.size(), -2);
  auto wanted = receive;
  const auto at = [&](int other, int k) {
    return static_cast<std::size_t>(4 * places[static_cast<std::size_t>(other)] + 2 * k);
  };
  for (int other = 0; other < size; ++other) {
    for (int k = 0; k < 2 * pairs(rank, other); ++k) send[at(other, k)] = number(rank, other, k);
    for (int k = 0; k < 2 * pairs(other, rank); ++k) wanted[at(other, k)] = number(other, rank, k);
  }
  exchange.run(
      {send.data(), send_counts, places, pair.get(), receive.data(), receive_counts, places, pair.get()});
  EXPECT_EQ(receive, wanted);
}

}  // namespace cubefold::mpi
