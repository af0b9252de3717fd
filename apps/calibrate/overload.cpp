#include "calibrate/overload.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "calibrate/stream.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/simulation/steps.hpp"

namespace {

using cubefold::GridNode;
using cubefold::Rank;

constexpr std::size_t message_bytes = 16 << 10;
constexpr std::size_t most_senders = 15;

/// Returns pairs of nodes, spread over the grid, with node 0.
std::vector<Pair> pairs_to_first(const cubefold::Grid& grid) {
  const std::size_t others = grid.node_count() - 1;
  const std::size_t count = std::min(others, most_senders);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i)
    pairs.push_back({static_cast<GridNode>(1 + i * others / count), GridNode{0}});
  return pairs;
}

/// Returns the seconds in which the network can carry one message of each pair. Ranks are nodes.
double seconds_needed(const std::vector<Pair>& pairs, const cubefold::Machine& machine) {
  const cubefold::Placement placement(machine.grid, cubefold::parse_placement("identity"));
  cubefold::Step step;
  for (const Pair& pair : pairs) {
    const Rank from = placement.rank_of(pair.from);
    step.push_back({from, Rank{0}, {{from, Rank{0}}}});
  }
  const cubefold::StepModel model = cubefold::step_model(machine, cubefold::Tie::balanced);
  return cubefold::simulate_steps(placement, {placement.rank_count(), {std::move(step)}}, message_bytes, model)
      .total_seconds;
}

}  // namespace

std::optional<Slowdown> slowdown_of_overload(const Bench& bench, const cubefold::Machine& machine) {
  const Streams all{pairs_to_first(bench.grid), message_bytes, 1};
  const double needed = seconds_needed(all.pairs, machine);
  if (all.pairs.size() < 2 || needed < 1.5 * seconds_needed({all.pairs.front()}, machine)) return std::nullopt;
  cubefold::timing::Times factors;
  for (int i = 0; i <= bench.effort.repetitions; ++i) {
    bench.progress.show("messages to one node");
    const double seconds = stream_seconds(bench.comm, {all});
    if (i > 0) factors.seconds.push_back(seconds / needed);  // the first messages open connections
  }
  return Slowdown{estimate_of(factors)};
}
