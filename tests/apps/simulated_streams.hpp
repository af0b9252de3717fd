#pragma once

#include <cstdint>
#include <vector>

#include "calibrate/check/map_check.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::map_check {

/// Describes a network whose behaviour is simulated: the true hosts, ties and ports.
struct Truth {
  const Grid& network;
  NodeOfHost nodes;
  Tie tie = Tie::balanced;
  bool one_port = false;
};

/// Returns the observations of some rounds, three times each, with up to 20 % of noise. Streams are fluids that share
/// links and ports fairly.
std::vector<Observation> observed(const Truth& truth, const std::vector<Round>& rounds, std::uint64_t seed);

}  // namespace cubefold::map_check
