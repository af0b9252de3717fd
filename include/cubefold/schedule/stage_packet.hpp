#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Identifies one of the Q packets into which the message of a stage of a CC-cube algorithm is cut.
struct StagePacket {
  std::size_t stage;
  /// Holds the dimension of the neighbour that the packet goes to and comes from.
  int dimension;
  /// Holds the number of the packet within its stage, in 0 .. count - 1, where count is Q.
  std::size_t index;
  std::size_t count;

  bool operator==(const StagePacket&) const = default;
};

/// Returns the iteration in which the packet travels: packet p of stage s travels in iteration s + p. Source: [Calmant]
/// section 2.4.
constexpr std::size_t iteration_of(const StagePacket& packet) {
  return packet.stage + packet.index;
}

/// Returns the number of iterations of K stages: K + Q - 1, or 0 if K is 0. With Q = 1 each stage is an iteration.
/// Throws std::invalid_argument for a packet_count of 0.
CUBEFOLD_API std::size_t iteration_count(std::size_t stage_count, std::size_t packet_count);

/// Returns the packets that travel in an iteration, by ascending stage: at most min(Q, K) packets, and none from
/// iteration_count() on. `dimensions` holds the dimensions of the K stages, in order. Throws std::invalid_argument for
/// a packet_count of 0. Costs O(packets).
CUBEFOLD_API std::vector<StagePacket> packets_of_iteration(std::span<const int> dimensions,
                                                           std::size_t packet_count, std::size_t iteration);

/// Stores what packets_of_iteration() returns in an existing vector, without allocation if its capacity is at least
/// min(Q, K). Throws std::invalid_argument for a packet_count of 0.
CUBEFOLD_API void set_packets_of_iteration(std::vector<StagePacket>& packets, std::span<const int> dimensions,
                                           std::size_t packet_count, std::size_t iteration);

/// Describes the items begin .. end - 1 of a vector.
struct ItemRange {
  std::size_t begin;
  std::size_t end;

  std::size_t size() const { return end - begin; }
  bool operator==(const ItemRange&) const = default;
};

/// Returns the items of a packet if a stage exchanges item_count items, in order. The ranges of packets 0 .. Q - 1
/// follow each other. Their sizes differ by 1 at most and descend, and some are empty if Q > item_count. Costs O(1).
CUBEFOLD_API ItemRange share_of(const StagePacket& packet, std::size_t item_count);

}  // namespace cubefold
