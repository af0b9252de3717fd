#include "permute/round.hpp"

#include <algorithm>
#include <utility>

#include "permute/pattern.hpp"

using cubefold::Placement;
using cubefold::Rank;

namespace {

std::uint32_t hops(const Placement& placement, const Journey& journey) {
  return distance_hops(placement.grid(), placement.node_of(journey.from), placement.node_of(journey.to));
}

std::vector<Journey> journeys_of(const std::string& pattern, const cubefold::Grid& grid) {
  std::vector<Journey> journeys;
  for (const Rank to : destinations(pattern, grid)) {
    journeys.push_back({static_cast<Rank>(journeys.size()), to});
  }
  return journeys;
}

/// Returns the first of the longest journeys. Every grid has a node, so there is one.
Journey longest(const Placement& placement, const std::vector<Journey>& journeys) {
  return *std::max_element(journeys.begin(), journeys.end(), [&](const Journey& a, const Journey& b) {
    return hops(placement, a) < hops(placement, b);
  });
}

Round round_of(const std::string& pattern, const Placement& placement, cubefold::Tie tie,
               std::vector<Journey> journeys) {
  cubefold::LinkLoads messages(placement.grid(), tie);
  for (const Journey& journey : journeys)
    messages.add(placement.node_of(journey.from), placement.node_of(journey.to));
  const auto longest_hops = hops(placement, longest(placement, journeys));
  return {pattern,     to_string(placement.rule()), false, std::move(journeys), std::move(messages),
          longest_hops};
}

}  // namespace

Round full_round(const std::string& pattern, const Placement& placement, cubefold::Tie tie) {
  return round_of(pattern, placement, tie, journeys_of(pattern, placement.grid()));
}

Round lone_round(const std::string& pattern, const Placement& placement, cubefold::Tie tie) {
  const auto journeys = journeys_of(pattern, placement.grid());
  Round round = round_of(pattern, placement, tie, {longest(placement, journeys)});
  round.alone = true;
  return round;
}
