#include "calibrate/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "calibrate/stream.hpp"
#include "stream.hpp"

using cubefold::Direction;
using cubefold::timing::Times;

namespace {

constexpr std::size_t message_bytes = 16 << 10;

/// Returns streams that take a quarter of the time of those for a rate. Shorter streams suffice to distinguish 1 and 2.
Streams streams_for(const Bench& bench, std::vector<Pair> pairs, double tau) {
  const std::size_t count =
      message_count_lasting(bench.effort.stream_seconds / 4, tau * static_cast<double>(message_bytes));
  return {std::move(pairs), message_bytes, count};
}

Streams streams_for(const Bench& bench, const NeighbourClass& which, const std::vector<double>& taus) {
  return streams_for(bench, pairs_of(bench.grid, which), taus[static_cast<std::size_t>(which.axis)]);
}

}  // namespace

std::optional<Slowdown> slowdown_of_two_ports(const Bench& bench, const std::vector<double>& taus) {
  const auto fork = fork_of(bench.grid);
  if (!fork) return std::nullopt;
  const Streams first = streams_for(bench, fork->first, taus);
  const Streams second = streams_for(bench, fork->second, taus);
  Times factors;
  for (int i = 0; i < bench.effort.repetitions; ++i) {
    bench.progress.show("ports");
    const double alone = std::max(stream_seconds(bench.comm, {first}), stream_seconds(bench.comm, {second}));
    factors.seconds.push_back(stream_seconds(bench.comm, {first, second}) / alone);
  }
  return Slowdown{estimate_of(factors)};
}

Slowdown slowdown_of_wrap_links(const Bench& bench, int axis, double tau, cubefold::Ports ports) {
  std::vector<Estimate> factors;
  for (const Direction direction : {Direction::positive, Direction::negative}) {
    const WrapPairs pairs = wrap_pairs(bench.grid, axis, direction, ports);
    const Streams with = streams_for(bench, pairs.with, tau);
    const Streams without = streams_for(bench, pairs.without, tau);
    Times ratios;
    for (int i = 0; i < bench.effort.repetitions; ++i) {
      bench.progress.show(fmt::format("wrap links of axis {}", axis));
      const double alone = stream_seconds(bench.comm, {without});
      ratios.seconds.push_back(stream_seconds(bench.comm, {with}) / alone);
    }
    factors.push_back(estimate_of(ratios));
  }
  return {greatest_of(factors)};
}
