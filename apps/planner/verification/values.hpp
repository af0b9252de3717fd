#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"

namespace cubefold::planner {

/// The messages of a phase, and how much it counts.
struct CheckedPhase {
  double weight;
  std::vector<SentMessages> messages;
};

/// What a certificate says of an order, counted.
struct CheckedValues {
  std::vector<double> busiest_link;  ///< of each phase
  double together = 0;
  double average_hops = 0;
  double hop_bytes = 0;
  double value = 0;  ///< of the objective
};

/// Counts them message by message. The objective is busiest-links, together or hop-bytes.
/// O(messages * hops * log links).
CheckedValues values_of(const Network& network, const std::vector<CheckedPhase>& phases,
                        const std::vector<std::size_t>& node_of_rank, const std::string& objective);

}  // namespace cubefold::planner
