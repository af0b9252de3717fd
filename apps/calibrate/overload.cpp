#include "calibrate/overload.hpp"

#include <algorithm>
#include <array>
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

constexpr std::array<std::size_t, 4> message_sizes{16 << 10, 64 << 10, 256 << 10, 1 << 20};
constexpr std::size_t most_senders = 15;

/// Sizes whose messages take longer than this are left out: timeouts end before all of them have arrived.
constexpr double longest_seconds = 0.5;

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
double seconds_needed(const std::vector<Pair>& pairs, std::size_t message_bytes,
                      const cubefold::Machine& machine) {
  const cubefold::Placement placement(machine.grid, cubefold::parse_placement("identity"));
  cubefold::Step step;
  for (const Pair& pair : pairs) {
    const Rank from = placement.rank_of(pair.from);
    step.push_back({from, Rank{0}, {{from, Rank{0}}}});
  }
  const cubefold::StepModel model = cubefold::step_model(machine, cubefold::Tie::balanced);
  return cubefold::simulate_steps(placement, {placement.rank_count(), {std::move(step)}}, message_bytes,
                                  model)
      .total_seconds;
}

Estimate measured_factor(const Bench& bench, const Streams& streams, double needed) {
  cubefold::timing::Times factors;
  for (int i = 0; i <= bench.effort.repetitions; ++i) {
    bench.progress.show("messages to one node");
    const double seconds = stream_seconds(bench.comm, {streams});
    if (i > 0) factors.seconds.push_back(seconds / needed);  // the first messages open connections
  }
  return estimate_of(factors);
}

}  // namespace

std::optional<Slowdown> slowdown_of_overload(const Bench& bench, const cubefold::Machine& machine) {
  const std::vector<Pair> pairs = pairs_to_first(bench.grid);
  std::vector<Estimate> factors;
  for (const std::size_t bytes : message_sizes) {
    const double needed = seconds_needed(pairs, bytes, machine);
    const bool shares_links = needed >= 1.5 * seconds_needed({pairs.front()}, bytes, machine);
    if (!shares_links || (!factors.empty() && needed > longest_seconds)) break;
    factors.push_back(measured_factor(bench, {pairs, bytes, 1}, needed));
  }
  if (factors.empty()) return std::nullopt;
  return Slowdown{greatest_of(factors)};
}
