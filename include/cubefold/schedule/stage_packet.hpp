#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// One of the Q packets that what a stage of a CC-cube algorithm exchanges is cut in.
struct StagePacket {
  std::size_t stage;
  /// Of the neighbour that the packet goes to and comes from.
  int dimension;
  /// In 0 .. count - 1, count being Q.
  std::size_t index;
  std::size_t count;

  bool operator==(const StagePacket&) const = default;
};

/// Packet p of stage s travels in iteration s + p. Source: [Calmant] section 2.4.
constexpr std::size_t iteration_of(const StagePacket& packet) {
  return packet.stage + packet.index;
}

/// Iterations of K stages: K + Q - 1, and 0 where K is 0. With Q = 1 they are the stages.
/// Throws std::invalid_argument for a packet_count of 0.
CUBEFOLD_API std::size_t iteration_count(std::size_t stage_count, std::size_t packet_count);

/// What travels in an iteration, stages ascending: min(Q, K) packets at most, none from iteration_count() on.
/// dimensions: of the K stages in order. Throws as iteration_count(). O(packets).
CUBEFOLD_API std::vector<StagePacket> packets_of_iteration(std::span<const int> dimensions,
                                                           std::size_t packet_count, std::size_t iteration);

/// The same in a vector that is there already; takes no memory if it has room for min(Q, K) packets.
CUBEFOLD_API void set_packets_of_iteration(std::vector<StagePacket>& packets, std::span<const int> dimensions,
                                           std::size_t packet_count, std::size_t iteration);

/// Items begin .. end - 1 of a vector.
struct ItemRange {
  std::size_t begin;
  std::size_t end;

  std::size_t size() const { return end - begin; }
  bool operator==(const ItemRange&) const = default;
};

/// The items of a packet where a stage exchanges item_count of them in order: the ranges of packets 0 .. Q - 1 follow
/// each other, sizes differ by 1 at most and descend; some are empty where Q > item_count. O(1).
CUBEFOLD_API ItemRange share_of(const StagePacket& packet, std::size_t item_count);

}  // namespace cubefold
