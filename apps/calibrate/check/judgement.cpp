#include "calibrate/check/judgement.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "calibrate/check/plan.hpp"
#include "calibrate/check/prediction.hpp"

namespace cubefold::map_check {

namespace {

constexpr std::size_t most_suspects = 64;
constexpr std::size_t noise = 1;

using Observations = std::vector<Observation>;

/// Holds what maps are judged by.
struct Evidence {
  Routes routes;
  const Observations& observations;
  Ports ports = Ports::one;
};

std::size_t contradiction_count(Evidence& evidence, const NodeOfHost& nodes, TieRule tie) {
  std::size_t count = 0;
  for (const Observation& observation : evidence.observations) {
    const Prediction prediction = predict(evidence.routes, nodes, observation.round, tie);
    count += contradictions(prediction, evidence.ports, observation).size();
  }
  return count;
}

/// Returns for each host how many contradictions to the map its streams take part in.
std::vector<std::size_t> contradictions_of_hosts(Evidence& evidence, const NodeOfHost& nodes) {
  std::vector<std::size_t> counts(nodes.size());
  for (const Observation& observation : evidence.observations) {
    const Prediction prediction = predict(evidence.routes, nodes, observation.round);
    for (const auto& streams : contradictions(prediction, evidence.ports, observation)) {
      for (const std::size_t stream : streams) {
        ++counts[observation.round[stream].from];
        ++counts[observation.round[stream].to];
      }
    }
  }
  return counts;
}

std::vector<std::size_t> by_descending(const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return counts[i]; });
  return order;
}

/// Finds the swaps among some hosts that leave the fewest contradictions under the tie rule that suits each best.
void find_swaps(Judgement& judgement, Evidence& evidence, const NodeOfHost& nodes,
                const std::vector<std::size_t>& hosts, const std::vector<TieRule>& ties) {
  judgement.unexplained = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    for (std::size_t k = i + 1; k < hosts.size(); ++k) {
      if (nodes[hosts[i]] == nodes[hosts[k]]) continue;
      const NodeOfHost swapped = with_swapped(nodes, hosts[i], hosts[k]);
      std::size_t count = std::numeric_limits<std::size_t>::max();
      for (const TieRule& tie : ties) count = std::min(count, contradiction_count(evidence, swapped, tie));
      if (count > judgement.unexplained) continue;
      if (count < judgement.unexplained) judgement.swaps.clear();
      judgement.unexplained = count;
      judgement.swaps.emplace_back(std::minmax(hosts[i], hosts[k]));
    }
  }
}

bool is_explained(const Judgement& judgement) {
  return 4 * judgement.unexplained <= judgement.contradictions;
}

/// Returns all ports if three quarters of the streams that meet others at a host only, of four at least, are as fast as
/// alone.
Ports ports_of(Evidence& evidence, const NodeOfHost& nodes) {
  std::size_t met = 0;
  std::size_t slow = 0;
  for (const Observation& observation : evidence.observations) {
    const Prediction prediction = predict(evidence.routes, nodes, observation.round);
    for (std::size_t i = 0; i < observation.round.size(); ++i)
      met += prediction.meets_at_host[i] && !prediction.meets_on_link[i] ? 1U : 0U;
    slow += contradictions(prediction, Ports::all, observation).size() -
            contradictions(prediction, Ports::one, observation).size();
  }
  return met >= 4 && 4 * slow <= met ? Ports::all : Ports::one;
}

Evidence evidence_for(const Grid& network, const NodeOfHost& nodes, const Observations& observations) {
  Evidence evidence{Routes(network), observations};
  evidence.ports = ports_of(evidence, nodes);
  return evidence;
}

}  // namespace

std::vector<std::size_t> contradicting(const Grid& network, const NodeOfHost& node_of_host,
                                       const Observations& observations) {
  Evidence evidence = evidence_for(network, node_of_host, observations);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Prediction prediction = predict(evidence.routes, node_of_host, observations[i].round);
    if (!contradictions(prediction, evidence.ports, observations[i]).empty()) found.push_back(i);
  }
  return found;
}

Judgement judge(const Grid& network, const NodeOfHost& node_of_host, const Observations& observations) {
  Evidence evidence = evidence_for(network, node_of_host, observations);
  Judgement judgement;
  judgement.contradictions = contradiction_count(evidence, node_of_host, {});
  if (judgement.contradictions <= noise) return judgement;
  const std::vector<std::size_t> counts = contradictions_of_hosts(evidence, node_of_host);
  std::vector<std::size_t> hosts = by_descending(counts);
  judgement.suspects = hosts;
  std::erase_if(judgement.suspects, [&](std::size_t host) { return counts[host] == 0; });
  hosts.resize(std::min(hosts.size(), most_suspects));
  find_swaps(judgement, evidence, node_of_host, hosts, {Tie::balanced, Tie::positive});
  if (!is_explained(judgement)) find_swaps(judgement, evidence, node_of_host, hosts, {std::nullopt});
  judgement.verdict = is_explained(judgement) ? Verdict::swapped : Verdict::contradicted;
  if (judgement.verdict == Verdict::contradicted) judgement.swaps.clear();
  return judgement;
}

}  // namespace cubefold::map_check
