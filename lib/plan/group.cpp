#include "amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

void require_ranks(const char* caller, const Phase& phase, std::size_t rank_count) {
  for (const Traffic& sent : phase.traffic) {
    const auto higher = std::max(label(sent.from), label(sent.to));
    if (higher < rank_count) continue;
    throw std::invalid_argument(fmt::format("{}: phase '{}' has rank {}, but there are {} ranks", caller,
                                            phase.name, higher, rank_count));
  }
}

/// Sorts the messages by their ends, and joins those with the same ends.
void merge(std::vector<GroupMessage>& messages) {
  const auto ends = [](const GroupMessage& sent) { return std::pair(sent.from, sent.to); };
  std::ranges::sort(messages, {}, ends);
  std::size_t kept = 0;
  for (const GroupMessage& sent : messages) {
    if (kept > 0 && ends(messages[kept - 1]) == ends(sent)) {
      messages[kept - 1].amount += sent.amount;
    } else {
      messages[kept++] = sent;
    }
  }
  messages.resize(kept);
}

}  // namespace

std::vector<GroupPhase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                       const Amounts& amounts, std::size_t per_node) {
  if (per_node == 0) throw std::invalid_argument(fmt::format("{}: per_node 0 is not positive", caller));
  std::vector<GroupPhase> result;
  for (const Phase& phase : phases) {
    require_ranks(caller, phase, grid.node_count() * per_node);
    GroupPhase group{phase.name, {}};
    PhaseAmounts amount_of = amounts.of(phase);
    for (const Traffic& sent : phase.traffic) {
      const auto from = static_cast<Rank>(label(sent.from) / per_node);
      const auto to = static_cast<Rank>(label(sent.to) / per_node);
      const bool counts = from != to && sent.messages > 0 && phase.weight > 0;
      if (counts) group.messages.push_back({from, to, amount_of(sent.messages)});
    }
    merge(group.messages);
    result.push_back(std::move(group));
  }
  return result;
}

std::vector<Phase> as_phases(const std::vector<GroupPhase>& groups) {
  std::vector<Phase> result;
  for (const GroupPhase& group : groups) {
    Phase phase{group.name, 1, {}};
    for (const auto& [from, to, amount] : group.messages) {
      phase.traffic.push_back({from, to, static_cast<double>(amount)});
    }
    result.push_back(std::move(phase));
  }
  return result;
}

}  // namespace cubefold
