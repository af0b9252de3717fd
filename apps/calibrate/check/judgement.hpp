#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "calibrate/check/host_streams.hpp"

namespace cubefold::map_check {

enum class Verdict : std::uint8_t {
  agrees,       ///< nothing, or a single stream, contradicts the map
  swapped,      ///< a swap of two hosts explains what contradicts the map
  contradicted  ///< no swap of two hosts explains it
};

/// Says what observations tell about the map of a job's hosts.
struct Judgement {
  Verdict verdict = Verdict::agrees;
  std::size_t contradictions = 0;  ///< number of contradictions to the map
  std::size_t unexplained = 0;     ///< number of contradictions that the swaps leave
  /// The swaps that explain the observations, equally well. If there are several, they are often mirror images.
  std::vector<std::pair<std::size_t, std::size_t>> swaps;
  /// The hosts at the ends of streams that contradict the map, by descending number of such streams.
  std::vector<std::size_t> suspects;
};

/// Returns the positions of the observations that contradict the map.
std::vector<std::size_t> contradicting(const Grid& network, const NodeOfHost& node_of_host,
                                       const std::vector<Observation>& observations);

/// Judges the map. Two contradictions count, since noise may cause one. A swap explains them if it leaves at most
/// a quarter of them, and it is looked for among the 64 first suspects. Swaps are judged
/// by either tie rule and, if that explains nothing, by what is sure under every rule. Costs up to 6048 predictions of
/// each round if the map is contradicted, otherwise two.
Judgement judge(const Grid& network, const NodeOfHost& node_of_host,
                const std::vector<Observation>& observations);

}  // namespace cubefold::map_check
