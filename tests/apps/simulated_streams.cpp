#include "apps/simulated_streams.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <utility>

namespace cubefold::map_check {

namespace {

using Needs = std::vector<std::size_t>;

/// Returns the resources that each stream of a round needs: links, and the ports of one-port hosts.
std::vector<Needs> resources_of(const Truth& truth, const Round& round) {
  std::vector<Needs> all;
  const std::size_t link_count = link_index_count(truth.network);
  for (const auto& [from, to] : round) {
    Needs needs;
    for (const auto& link : route(truth.network, truth.nodes[from], truth.nodes[to], truth.tie))
      needs.push_back(link_index(truth.network, link));
    if (truth.one_port) needs.push_back(link_count + 2 * from);
    if (truth.one_port) needs.push_back(link_count + 2 * to + 1);
    if (needs.empty()) needs.push_back(link_count + 2 * truth.nodes.size() + all.size());  // on one node
    all.push_back(needs);
  }
  return all;
}

/// Returns the rates of the streams that are under way, by max-min fairness: the resource that has the least for each
/// of its streams fixes their rates, and the rest is shared in the same way.
std::vector<double> fair_rates(const std::vector<Needs>& needs, std::vector<bool> waits) {
  std::vector<double> rates(needs.size());
  std::map<std::size_t, double> left;
  for (const auto& list : needs)
    for (const auto& need : list) left[need] = 1;
  while (std::ranges::count(waits, true) > 0) {
    std::map<std::size_t, int> users;
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (waits[i])
        for (const auto& need : needs[i]) ++users[need];
    std::size_t tightest = 0;
    double least = std::numeric_limits<double>::max();
    for (const auto& [need, count] : users)
      if (left[need] / count < least) std::tie(least, tightest) = std::pair(left[need] / count, need);
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (!waits[i] || std::ranges::count(needs[i], tightest) == 0) continue;
      rates[i] = least;
      waits[i] = false;
      for (const auto& need : needs[i]) left[need] -= least;
    }
  }
  return rates;
}

/// Returns the time of each stream of a round over its time alone, when messages are fluids.
std::vector<double> true_factors(const Truth& truth, const Round& round) {
  const auto needs = resources_of(truth, round);
  std::vector<double> left(round.size(), 1);
  std::vector<double> times(round.size());
  std::vector<bool> runs(round.size(), true);
  double now = 0;
  while (std::ranges::count(runs, true) > 0) {
    const auto rates = fair_rates(needs, runs);
    double step = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (runs[i]) step = std::min(step, left[i] / rates[i]);
    now += step;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      left[i] -= rates[i] * step;
      if (!runs[i] || left[i] > 1e-9) continue;
      runs[i] = false;
      times[i] = now;
    }
  }
  return times;
}

}  // namespace

std::vector<Observation> observed(const Truth& truth, const std::vector<Round>& rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(0.9, 1.2);
  std::vector<Observation> observations;
  for (const Round& round : rounds) {
    Observation observation{round, std::vector<double>(round.size(), 1), {}};
    const auto factors = true_factors(truth, round);
    for (int repetition = 0; repetition < 3; ++repetition) {
      observation.seconds.push_back(factors);
      for (double& seconds : observation.seconds.back()) seconds *= noise(random);
    }
    observations.push_back(observation);
  }
  return observations;
}

}  // namespace cubefold::map_check
