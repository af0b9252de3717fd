#include "calibrate/check/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "calibrate/stream.hpp"

namespace cubefold::map_check {

namespace {

constexpr std::size_t least_bytes = std::size_t{8} << 10;
constexpr std::size_t most_bytes = std::size_t{1} << 20;

Streams streams_of(const HostProcesses& hosts, const Round& round, const StreamLength& length) {
  std::vector<Pair> pairs;
  for (const auto& [from, to] : round)
    pairs.push_back(
        {static_cast<GridNode>(hosts.rank_of_host[from]), static_cast<GridNode>(hosts.rank_of_host[to])});
  return {std::move(pairs), length.message_bytes, length.message_count};
}

using AloneSeconds = std::map<std::pair<std::size_t, std::size_t>, double>;

AloneSeconds alone_seconds(const Bench& bench, const std::vector<Round>& rounds) {
  AloneSeconds alone;
  for (const Round& round : rounds)
    for (const auto& [from, to] : round) alone[{from, to}] = 0;
  std::size_t count = 0;
  for (auto& [ends, seconds] : alone) {
    bench.progress.show(fmt::format("stream {} of {} alone", ++count, alone.size()));
    seconds =
        stream_times(bench.hosts.comm, streams_of(bench.hosts, {{ends.first, ends.second}}, bench.length))
            .front();
  }
  return alone;
}

}  // namespace

StreamLength length_lasting(const HostProcesses& hosts, double seconds, const HostStream& stream) {
  constexpr std::size_t count = 8;
  std::size_t bytes = least_bytes;
  const auto message_seconds = [&] {
    const Streams streams = streams_of(hosts, {stream}, {bytes, count});
    return stream_seconds(hosts.comm, {streams}) / static_cast<double>(count);
  };
  message_seconds();  // the first message connects the two processes
  double each = message_seconds();
  while (bytes < most_bytes && 32 * each < seconds) {
    bytes *= 2;
    each = message_seconds();
  }
  return {bytes, message_count_lasting(seconds, each)};
}

std::vector<Observation> measure(const Bench& bench, const std::vector<Round>& rounds) {
  for (const Round& round : rounds) {
    bench.progress.show("connections between hosts");
    stream_times(bench.hosts.comm, streams_of(bench.hosts, round, {1, 1}));
  }
  const AloneSeconds alone = alone_seconds(bench, rounds);
  std::vector<Observation> observations;
  for (const Round& round : rounds) {
    bench.progress.show(fmt::format("round {} of {}", observations.size() + 1, rounds.size()));
    Observation observation{round, {}, {}};
    for (const auto& [from, to] : round) observation.alone_seconds.push_back(alone.at({from, to}));
    for (int i = 0; i < bench.repetitions; ++i)
      observation.seconds.push_back(
          stream_times(bench.hosts.comm, streams_of(bench.hosts, round, bench.length)));
    observations.push_back(std::move(observation));
  }
  return observations;
}

}  // namespace cubefold::map_check
