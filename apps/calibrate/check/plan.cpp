#include "calibrate/check/plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

namespace cubefold::map_check {

namespace {

using Random = std::mt19937_64;

constexpr std::size_t most_rounds = 24;
constexpr std::size_t rounds_to_choose_from = 60;
constexpr std::size_t wanted_per_swap = 3;

struct Job {
  const Grid& network;
  const NodeOfHost& nodes;
};

/// Holds a stream and the links that it uses if the map is right.
struct RoutedStream {
  HostStream stream;
  std::vector<std::size_t> links;
};

std::size_t below(Random& random, std::size_t count) {
  return random() % count;
}

/// Returns another host, any or one that is near: the nearest of 1, 4 or 16 random ones.
std::size_t other_host(const Job& job, std::size_t host, Random& random) {
  const std::size_t tries = std::size_t{1} << (2 * below(random, 3));
  const auto hops = [&](std::size_t other) {
    return distance_hops(job.network, job.nodes[host], job.nodes[other]);
  };
  const auto draw = [&] { return (host + 1 + below(random, job.nodes.size() - 1)) % job.nodes.size(); };
  std::size_t nearest = draw();
  for (std::size_t i = 1; i < tries; ++i) {
    const std::size_t other = draw();
    if (hops(other) > 0 && (hops(nearest) == 0 || hops(other) < hops(nearest))) nearest = other;
  }
  return nearest;
}

/// Returns the stream with its links. Returns nothing if it has no links, or if there is a second way as short as its
/// own.
std::optional<RoutedStream> routed(const Job& job, Routes& routes, const HostStream& stream) {
  const std::vector<RouteLink>& links = routes.between(job.nodes[stream.from], job.nodes[stream.to]);
  if (links.empty() || !std::ranges::all_of(links, &RouteLink::is_sure)) return std::nullopt;
  RoutedStream result{stream, {}};
  for (const RouteLink& each : links) result.links.push_back(each.link);
  return result;
}

/// Returns how many partners a host has at most. The swaps of few hosts need more different rounds.
std::size_t partner_count(std::size_t host_count) {
  return host_count <= 64 ? 8 : 4;
}

std::vector<RoutedStream> possible_streams(const Job& job, Random& random) {
  const std::size_t wanted = partner_count(job.nodes.size());
  Routes routes(job.network);
  std::vector<RoutedStream> streams;
  for (std::size_t host = 0; host < job.nodes.size(); ++host) {
    std::set<std::size_t> partners;
    for (std::size_t i = 0; i < 8 * wanted && partners.size() < wanted; ++i) {
      const std::size_t partner = other_host(job, host, random);
      auto stream = routed(job, routes, {host, partner});
      if (stream && partners.insert(partner).second) streams.push_back(*std::move(stream));
    }
  }
  return streams;
}

/// Says which streams of a round may meet: none, two on a link, or two anywhere.
enum class Pairs : std::uint8_t { none, on_links, anywhere };

/// Collects streams of which none meets more than one other.
class RoundBuilder {
 public:
  explicit RoundBuilder(Pairs allowed) : allowed_(allowed) {}

  void offer(const RoutedStream& stream) {
    const std::set<std::size_t> on_links = streams_at(stream.links, of_link_);
    std::set<std::size_t> met = on_links;
    met.merge(streams_at({stream.stream.from}, of_sender_));
    met.merge(streams_at({stream.stream.to}, of_receiver_));
    if (met.size() > 1) return;
    if (met.size() == 1) {
      if (!may_pair(*met.begin(), !on_links.empty())) return;
      has_partner_[*met.begin()] = true;
    }
    add(stream, !met.empty());
  }

  Round take() { return std::move(round_); }

 private:
  using Streams = std::multimap<std::size_t, std::size_t>;

  static std::set<std::size_t> streams_at(const std::vector<std::size_t>& places, const Streams& streams) {
    std::set<std::size_t> found;
    for (const std::size_t place : places) {
      const auto [begin, end] = streams.equal_range(place);
      for (auto stream = begin; stream != end; ++stream) found.insert(stream->second);
    }
    return found;
  }

  bool may_pair(std::size_t partner, bool on_link) const {
    return !has_partner_[partner] &&
           (allowed_ == Pairs::anywhere || (allowed_ == Pairs::on_links && on_link));
  }

  void add(const RoutedStream& stream, bool has_partner) {
    const std::size_t number = round_.size();
    for (const std::size_t link : stream.links) of_link_.emplace(link, number);
    of_sender_.emplace(stream.stream.from, number);
    of_receiver_.emplace(stream.stream.to, number);
    round_.push_back(stream.stream);
    has_partner_.push_back(has_partner);
  }

  Pairs allowed_;
  Round round_;
  std::vector<bool> has_partner_;
  Streams of_link_;
  Streams of_sender_;
  Streams of_receiver_;
};

std::vector<Round> random_rounds(std::vector<RoutedStream> streams, Random& random) {
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < rounds_to_choose_from; ++i) {
    std::ranges::shuffle(streams, random);
    RoundBuilder builder(static_cast<Pairs>(i % 3));
    for (const RoutedStream& stream : streams) builder.offer(stream);
    rounds.push_back(builder.take());
  }
  return rounds;
}

using Swap = std::pair<std::size_t, std::size_t>;

/// Returns all swaps of two hosts, or some if there are many.
std::vector<Swap> some_swaps(const Job& job, Random& random) {
  const std::size_t count = job.nodes.size();
  const std::size_t most = std::max<std::size_t>(200, 40000 / count);
  std::vector<Swap> swaps;
  if (count * (count - 1) / 2 > most) {
    for (std::size_t i = 0; i < most; ++i) {
      const std::size_t one = below(random, count);
      swaps.emplace_back(one, other_host(job, one, random));
    }
    return swaps;
  }
  for (std::size_t one = 0; one < count; ++one)
    for (std::size_t other = one + 1; other < count; ++other) swaps.emplace_back(one, other);
  return swaps;
}

/// Says for each error that a map may have which rounds would contradict the map.
using Support = std::vector<std::vector<bool>>;

/// Returns which rounds have streams that share a link. They would contradict the map if messages never met.
std::vector<bool> rounds_with_slow_sets(const std::vector<Prediction>& predictions) {
  std::vector<bool> row;
  row.reserve(predictions.size());
  for (const Prediction& prediction : predictions) {
    row.push_back(std::ranges::any_of(prediction.slow_sets, [&](const auto& streams) {
      return std::ranges::none_of(
          streams, [&](std::size_t stream) { return static_cast<bool>(prediction.meets_at_host[stream]); });
    }));
  }
  return row;
}

/// Returns which rounds would contradict the map if the hosts were on other nodes.
std::vector<bool> contradicted_rounds(Routes& routes, const std::vector<Round>& rounds,
                                      const std::vector<Prediction>& right, const NodeOfHost& nodes, Tie tie,
                                      Ports ports) {
  std::vector<bool> row;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    row.push_back(exclude_each_other(right[i], predict(routes, nodes, rounds[i], tie), ports));
  return row;
}

Support evidence_of(const Job& job, const std::vector<Round>& rounds, const std::vector<Swap>& swaps) {
  Routes routes(job.network);
  std::vector<Prediction> right;
  right.reserve(rounds.size());
  for (const Round& round : rounds) right.push_back(predict(routes, job.nodes, round));
  Support evidence;
  for (const auto& [one, other] : swaps) {
    const NodeOfHost nodes = with_swapped(job.nodes, one, other);
    for (const Tie tie : {Tie::balanced, Tie::positive}) {
      for (const Ports ports : {Ports::one, Ports::all})
        evidence.push_back(contradicted_rounds(routes, rounds, right, nodes, tie, ports));
    }
  }
  if (std::ranges::any_of(evidence, [](const auto& row) { return std::ranges::count(row, true) > 0; }))
    evidence.push_back(rounds_with_slow_sets(right));
  return evidence;
}

/// Returns the round that shows most of the swaps which fewer chosen rounds show than wanted, or nothing if there
/// is none.
std::optional<std::size_t> best_round(const Support& evidence, const std::vector<std::size_t>& shown,
                                      const std::vector<bool>& is_chosen) {
  std::vector<std::size_t> gains(is_chosen.size());
  for (std::size_t h = 0; h < evidence.size(); ++h) {
    if (shown[h] >= wanted_per_swap) continue;
    for (std::size_t i = 0; i < gains.size(); ++i) gains[i] += evidence[h][i] && !is_chosen[i] ? 1U : 0U;
  }
  const auto best = std::ranges::max_element(gains);
  if (*best == 0) return std::nullopt;
  return static_cast<std::size_t>(best - gains.begin());
}

}  // namespace

NodeOfHost with_swapped(NodeOfHost node_of_host, std::size_t one, std::size_t other) {
  std::swap(node_of_host[one], node_of_host[other]);
  return node_of_host;
}

std::vector<Round> plan_rounds(const Grid& network, const NodeOfHost& node_of_host, std::uint64_t seed) {
  if (node_of_host.size() < 3) return {};
  const Job job{network, node_of_host};
  Random random(seed);
  const std::vector<Round> rounds = random_rounds(possible_streams(job, random), random);
  const Support evidence = evidence_of(job, rounds, some_swaps(job, random));
  std::vector<std::size_t> shown(evidence.size());
  std::vector<bool> is_chosen(rounds.size());
  std::vector<Round> chosen;
  while (chosen.size() < most_rounds) {
    const auto best = best_round(evidence, shown, is_chosen);
    if (!best) break;
    is_chosen[*best] = true;
    chosen.push_back(rounds[*best]);
    for (std::size_t h = 0; h < evidence.size(); ++h) shown[h] += evidence[h][*best] ? 1U : 0U;
  }
  return chosen;
}

}  // namespace cubefold::map_check
