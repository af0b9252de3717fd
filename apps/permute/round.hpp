#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/link_loads.hpp"

/// One message of a round.
struct Journey {
  cubefold::Rank from;
  cubefold::Rank to;
};

/// The messages of one pattern under one placement, which all travel at the same time, and their predicted link loads.
struct Round {
  std::string pattern;
  std::string placement;
  bool alone;  ///< true: only the message with the longest route travels
  std::vector<Journey> journeys;
  cubefold::LinkLoads link_messages;
  std::uint32_t longest_hops;

  /// Returns the messages on the busiest directed link.
  std::uint64_t contention() const { return link_messages.busiest(); }
};

/// Returns the round in which every rank sends. Throws as destinations() does. Costs O(p) routes.
Round full_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);

/// Returns only the message with the longest route of that round; among several, the one of the lowest rank. Costs O(p)
/// distances.
Round lone_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);
