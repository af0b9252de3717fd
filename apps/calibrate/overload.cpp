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

double seconds_in_turn(const Bench& bench, const std::vector<Pair>& pairs, std::size_t message_bytes) {
  double seconds = 0;
  for (const Pair& pair : pairs) seconds += stream_seconds(bench.comm, {{{pair}, message_bytes, 1}});
  return seconds;
}

/// Returns the median times of messages of a size. The first ones open connections and do not count.
Overload overload_by(const Bench& bench, const std::vector<Pair>& pairs, std::size_t message_bytes) {
  cubefold::timing::Times at_once;
  cubefold::timing::Times in_turn;
  seconds_in_turn(bench, pairs, message_bytes);
  for (int i = 0; i < bench.effort.repetitions; ++i) {
    bench.progress.show("messages to one node");
    at_once.seconds.push_back(stream_seconds(bench.comm, {{pairs, message_bytes, 1}}));
    in_turn.seconds.push_back(seconds_in_turn(bench, pairs, message_bytes));
  }
  return {at_once.median(), in_turn.median()};
}

}  // namespace

std::optional<Overload> measured_overload(const Bench& bench, const cubefold::Machine& machine) {
  const std::vector<Pair> pairs = pairs_to_first(bench.grid);
  std::optional<Overload> most;
  for (const std::size_t bytes : message_sizes) {
    const double needed = seconds_needed(pairs, bytes, machine);
    const bool shares_links = needed >= 1.5 * seconds_needed({pairs.front()}, bytes, machine);
    if (!shares_links || (most && needed > longest_seconds)) break;
    const Overload overload = overload_by(bench, pairs, bytes);
    if (!most || overload.factor() > most->factor()) most = overload;
  }
  return most;
}
