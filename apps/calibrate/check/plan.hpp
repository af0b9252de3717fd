#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/check/host_streams.hpp"
#include "calibrate/check/prediction.hpp"

namespace cubefold::map_check {

/// Returns rounds that show whether two hosts are swapped: whichever they were, at least three rounds would contradict
/// the map, as far as such rounds are found. At most 24 rounds are chosen among random ones. On one machine the result
/// depends on nothing but the arguments.
///
/// If the map is right, a stream shares links or an end with at most one other stream of the round. No stream goes
/// halfway round a ring, where it could take either way. There are at most 8 different streams for each host, or 4 if
/// there are more than 64 hosts. The result is empty if no swap would be noticed. For h hosts it costs at most
/// 120 h (h - 1) predictions, and no more than 48000 from 200 hosts on.
std::vector<Round> plan_rounds(const Grid& network, const NodeOfHost& node_of_host, std::uint64_t seed);

/// Returns the hosts with two of them swapped.
NodeOfHost with_swapped(NodeOfHost node_of_host, std::size_t one, std::size_t other);

}  // namespace cubefold::map_check
