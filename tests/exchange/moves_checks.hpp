#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cubefold/schedule/schedule.hpp"
#include "exchange/exchange_checks.hpp"
#include "exchange/moves.hpp"
#include "schedule/conflict.hpp"

namespace cubefold {

/// Returns what is wrong with the moves of a phase, or nothing. The moves have a fault if the two ends of a message
/// disagree, if a node's moves are not in the order of the steps, if messages meet, if a node does not send exactly one
/// message to each node for which are_peers(from, to) is true, or if nobody sends in some step.
template <typename Phase, typename ArePeers>
std::optional<std::string> first_moves_fault(const Grid& grid, const Phase& phase, const NetworkRules& rules,
                                             ArePeers are_peers) {
  const auto node_count = static_cast<std::uint32_t>(grid.node_count());
  std::set<std::tuple<std::size_t, GridNode, GridNode>> sent, received;
  Schedule schedule{node_count, std::vector<Step>(phase.step_count())};
  for (std::uint32_t i = 0; i < node_count; ++i) {
    const auto node = static_cast<GridNode>(i);
    const Moves moves = phase.moves_of(node);
    const auto earlier = [](const Move& a, const Move& b) { return a.step < b.step; };
    if (!std::is_sorted(moves.sends.begin(), moves.sends.end(), earlier)) return "sends are not in order";
    if (!std::is_sorted(moves.receives.begin(), moves.receives.end(), earlier))
      return "receives are not in order";
    std::multiset<GridNode> peers;
    for (const auto& [step, peer] : moves.sends) {
      peers.insert(peer);
      sent.emplace(step, node, peer);
      schedule.steps.at(step).push_back({Rank{i}, Rank{static_cast<std::uint32_t>(peer)}, {}});
    }
    for (const auto& [step, peer] : moves.receives) received.emplace(step, peer, node);
    for (std::uint32_t j = 0; j < node_count; ++j) {
      const auto other = static_cast<GridNode>(j);
      if (peers.count(other) != (i != j && are_peers(node, other) ? 1U : 0U))
        return "node " + std::to_string(i) + " does not send to " + std::to_string(j) +
               " as often as it should";
    }
  }
  if (sent != received) return "what is sent is not what is received";
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    if (schedule.steps[step].empty()) return "nobody sends in step " + std::to_string(step);
  }
  const auto conflict = first_conflict(in_place(grid), schedule, rules.ports, rules.tie);
  return conflict ? std::optional(describe(*conflict, schedule)) : std::nullopt;
}

}  // namespace cubefold
