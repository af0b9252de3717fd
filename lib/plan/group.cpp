#include "group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace cubefold {

namespace {

bool is_amount(double value) {
  return std::isfinite(value) && value >= 0;
}

void require_valid(const char* caller, const Phase& phase, std::size_t rank_count) {
  if (!is_amount(phase.weight)) {
    throw std::invalid_argument(fmt::format("{}: weight {} of phase '{}' is not a finite number from 0",
                                            caller, phase.weight, phase.name));
  }
  for (const Traffic& sent : phase.traffic) {
    if (!is_amount(sent.messages)) {
      throw std::invalid_argument(fmt::format("{}: traffic {} of phase '{}' is not a finite number from 0",
                                              caller, sent.messages, phase.name));
    }
    const auto higher = std::max(label(sent.from), label(sent.to));
    if (higher < rank_count) continue;
    throw std::invalid_argument(fmt::format("{}: phase '{}' has rank {}, but there are {} ranks", caller,
                                            phase.name, higher, rank_count));
  }
}

/// Sorted; those between the same ends in one.
std::vector<Traffic> merged(std::vector<Traffic> traffic) {
  const auto ends = [](const Traffic& sent) { return std::tuple(sent.from, sent.to); };
  std::stable_sort(traffic.begin(), traffic.end(),
                   [&](const Traffic& a, const Traffic& b) { return ends(a) < ends(b); });
  std::vector<Traffic> result;
  for (const Traffic& sent : traffic) {
    if (result.empty() || ends(result.back()) != ends(sent)) {
      result.push_back(sent);
    } else {
      result.back().messages += sent.messages;
    }
  }
  return result;
}

}  // namespace

std::vector<Phase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                  std::size_t per_node) {
  if (per_node == 0) throw std::invalid_argument(fmt::format("{}: per_node 0 is not positive", caller));
  std::vector<Phase> result;
  for (const Phase& phase : phases) {
    require_valid(caller, phase, grid.node_count() * per_node);
    std::vector<Traffic> traffic;
    for (const Traffic& sent : phase.traffic) {
      const auto from = static_cast<Rank>(label(sent.from) / per_node);
      const auto to = static_cast<Rank>(label(sent.to) / per_node);
      if (from != to && sent.messages > 0) traffic.push_back({from, to, sent.messages});
    }
    result.push_back({phase.name, phase.weight, merged(std::move(traffic))});
  }
  return result;
}

}  // namespace cubefold
