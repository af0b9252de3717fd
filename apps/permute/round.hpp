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

/// Messages that travel all at once, of one pattern under one placement, and what the network should have to carry.
struct Round {
  std::string pattern;
  std::string placement;
  bool alone;  ///< only the message with the longest route travels
  std::vector<Journey> journeys;
  cubefold::LinkLoads link_messages;
  std::uint32_t longest_hops;

  /// Messages on the busiest directed link.
  std::uint64_t contention() const { return link_messages.busiest(); }
};

/// Every rank sends. Throws what destinations() does. O(p) routes.
Round full_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);

/// Of that round only the message with the longest route, of several the lowest rank's. O(p) distances.
Round lone_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);
