#include "calibrate/link_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "calibrate/stream.hpp"
#include "cubefold/mpi/error.hpp"
#include "timing/runs.hpp"

using cubefold::timing::Times;

namespace {

constexpr std::size_t kib = 1024;

NeighbourClass first_class(int axis) {
  return {axis, false, cubefold::Direction::positive};
}

/// Returns the number of messages that last about as long as a measurement should.
std::size_t message_count_for(const Bench& bench, const std::vector<Pair>& pairs, std::size_t message_bytes) {
  const double wanted = bench.effort.stream_seconds;
  double message_seconds = 1;
  for (std::size_t count = 2; message_count_lasting(wanted / 4, message_seconds) > count; count *= 2) {
    message_seconds =
        stream_seconds(bench.comm, {{pairs, message_bytes, count}}) / static_cast<double>(count);
  }
  return message_count_lasting(wanted, message_seconds);
}

/// Returns the seconds that one more message adds to a stream. Returns the average of the long stream if noise hides
/// the difference.
double seconds_per_message(const Bench& bench, const Streams& streams) {
  Streams shorter = streams;
  shorter.message_count = std::max<std::size_t>(1, streams.message_count / 4);
  const double few = stream_seconds(bench.comm, {shorter});
  const double many = stream_seconds(bench.comm, {streams});
  const auto more = static_cast<double>(streams.message_count - shorter.message_count);
  return many > few ? (many - few) / more : many / static_cast<double>(streams.message_count);
}

Estimate per_message(const Bench& bench, const Streams& streams) {
  Times times;
  for (int i = 0; i < bench.effort.repetitions; ++i) {
    times.seconds.push_back(seconds_per_message(bench, streams));
  }
  return estimate_of(times);
}

/// Returns the estimate with each value multiplied by `factor`, less `less`, and at least 0.
Estimate scaled(const Estimate& estimate, double factor, double less = 0) {
  const auto apply = [&](double seconds) { return std::max(0.0, seconds * factor - less); };
  return {apply(estimate.value), apply(estimate.least), apply(estimate.greatest)};
}

}  // namespace

std::size_t long_message_bytes(const Bench& bench, int axis) {
  const auto pairs = pairs_of(bench.grid, first_class(axis));
  const double seconds = stream_seconds(bench.comm, {{pairs, 16 * kib, 4}});
  return seconds > bench.effort.stream_seconds / 10 ? 16 * kib : 64 * kib;
}

Estimate measured_tau(const Bench& bench, int axis) {
  const std::size_t bytes = long_message_bytes(bench, axis);
  const std::size_t count = message_count_for(bench, pairs_of(bench.grid, first_class(axis)), bytes);
  std::vector<Estimate> estimates;
  for (const NeighbourClass& neighbours : classes_of(bench.grid, axis)) {
    bench.progress.show(fmt::format("rate of axis {}", axis));
    estimates.push_back(per_message(bench, {pairs_of(bench.grid, neighbours), bytes, count}));
  }
  return scaled(greatest_of(estimates), 1 / static_cast<double>(bytes));
}

Estimate measured_gap(const Bench& bench, int axis, double tau) {
  const auto pairs = pairs_of(bench.grid, first_class(axis));
  std::vector<Estimate> estimates;
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{256}}) {
    bench.progress.show(fmt::format("streams of messages of {} bytes", bytes));
    const std::size_t count = message_count_for(bench, pairs, bytes);
    estimates.push_back(
        scaled(per_message(bench, {pairs, bytes, count}), 1, tau * static_cast<double>(bytes)));
  }
  return greatest_of(estimates);
}

using cubefold::mpi::check;

namespace {

constexpr int round_trips = 20;
constexpr int barriers = 10;
constexpr std::size_t most_pairs = 8;

void ping(MPI_Comm comm, int peer) {
  char byte = 0;
  for (int trip = 0; trip < round_trips; ++trip) {
    check(MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm), "MPI_Send");
    check(MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

void pong(MPI_Comm comm, int peer) {
  char byte = 0;
  for (int trip = 0; trip < round_trips; ++trip) {
    check(MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    check(MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm), "MPI_Send");
  }
}

/// Measures the time of a message of one byte in one direction. All other processes wait meanwhile. All processes must
/// call this.
double one_way_seconds(MPI_Comm comm, const Pair& pair) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const int from = static_cast<int>(pair.from);
  const int to = static_cast<int>(pair.to);
  const double seconds = cubefold::timing::time_of_slowest(comm, [&] {
    if (rank == from) ping(comm, to);
    if (rank == to) pong(comm, from);
  });
  return seconds / (2 * round_trips);
}

/// Returns some pairs of neighbours on every axis, spread over the grid.
std::vector<Pair> some_pairs(const cubefold::Grid& grid) {
  const std::vector<int> axes = axes_with_links(grid);
  const std::size_t wanted = std::max<std::size_t>(1, most_pairs / axes.size());
  std::vector<Pair> some;
  for (const int axis : axes) {
    const std::vector<Pair> all = pairs_of(grid, {axis, false, cubefold::Direction::positive});
    const std::size_t count = std::min(wanted, all.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  }
  return some;
}

}  // namespace

Estimate measured_alpha(const Bench& bench) {
  Times times;
  for (const Pair& pair : some_pairs(bench.grid)) {
    bench.progress.show("latency of a message");
    one_way_seconds(bench.comm, pair);  // the first message connects the two processes
    for (int i = 0; i < bench.effort.repetitions; ++i) {
      times.seconds.push_back(one_way_seconds(bench.comm, pair));
    }
  }
  return estimate_of(times);
}

Estimate measured_barrier(const Bench& bench) {
  Times times;
  for (int i = 0; i < 4 * bench.effort.repetitions; ++i) {
    bench.progress.show("barrier");
    const double seconds = cubefold::timing::time_of_slowest(bench.comm, [&] {
      for (int k = 0; k < barriers; ++k) check(MPI_Barrier(bench.comm), "MPI_Barrier");
    });
    times.seconds.push_back(seconds / barriers);
  }
  return estimate_of(times);
}
using cubefold::Direction;

namespace {

constexpr std::size_t bytes_of_factor_messages = 16 << 10;

/// Returns streams that last a quarter as long as the streams that measure a rate. They suffice to distinguish the
/// factors 1 and 2.
Streams streams_for(const Bench& bench, std::vector<Pair> pairs, double tau) {
  const std::size_t count = message_count_lasting(bench.effort.stream_seconds / 4,
                                                  tau * static_cast<double>(bytes_of_factor_messages));
  return {std::move(pairs), bytes_of_factor_messages, count};
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
