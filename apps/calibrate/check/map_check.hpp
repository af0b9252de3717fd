#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/check/host_streams.hpp"
#include "calibrate/check/judgement.hpp"

namespace cubefold::map_check {

/// Decides which rounds to measure, and judges the map by them. It does not measure: a caller asks for rounds, measures
/// them, and adds the observations, until no rounds are left.
///
/// The rounds of plan_rounds() come first. Those that contradict the map are measured once more, and count as they are
/// then, since noise rarely comes twice. If the map is contradicted and there is not exactly one swap that explains
/// it, other rounds follow, of three plans at most.
class MapCheck {
 public:
  /// Requires one node of the network for each host.
  MapCheck(Grid network, NodeOfHost node_of_host);

  /// Returns the rounds to measure now, or none if the judgement is final.
  std::vector<Round> next_rounds();

  /// Takes the observations of the rounds that next_rounds() returned last, in the same order.
  void add(std::vector<Observation> observations);

  const Grid& network() const { return network_; }
  const NodeOfHost& node_of_host() const { return node_of_host_; }
  const std::vector<Observation>& observations() const { return observations_; }

  /// Judges the map by the observations so far.
  Judgement judgement() const { return judge(network_, node_of_host_, observations_); }

 private:
  std::vector<Round> planned_rounds();
  std::vector<Round> doubtful_rounds();

  Grid network_;
  NodeOfHost node_of_host_;
  std::vector<Observation> observations_;
  std::vector<bool> is_confirmed_;  ///< for each observation, whether it has been measured once more
  std::vector<std::size_t> asked_;  ///< positions of the observations that add() will get
  std::uint64_t plan_count_ = 0;
};

}  // namespace cubefold::map_check
