#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "schedule/neighbour_grid.hpp"

namespace cubefold {

/// Names the ways to exchange blocks between neighbours.
enum class NeighbourMethod : std::uint8_t {
  direct,    ///< each block is a message
  combined,  ///< blocks travel axis by axis, in one message for each distance on an axis
};

inline constexpr std::array all_neighbour_methods{NeighbourMethod::direct, NeighbourMethod::combined};

/// Returns `direct` or `combined`.
CUBEFOLD_API std::string_view to_string(NeighbourMethod method);

/// Returns the messages by which each edge's block goes straight to its destination, in steps in which no two messages
/// share a port or a link: each message is in the first such step. `placement` says where the ranks are; it may put
/// them on any network with as many nodes. Edges of a rank to itself have no message. Costs O(edges steps hops).
CUBEFOLD_API Schedule direct_neighbour_schedule(const NeighbourGrid& edges, const Placement& placement,
                                                const NetworkRules& network);

/// Returns the messages that a rank sends and receives if blocks travel axis by axis. In the phase of an axis, a rank
/// sends all blocks that it has for a distance on this axis to the rank at that distance: its own, and those that came
/// to it in the phases before. So 26 neighbours in three dimensions take 6 messages, and 8 in two take 4. With one port
/// a phase has one step for each distance, in ascending order; with all ports it is one step. Blocks pass only ranks
/// that exist, also where ends are open. Costs O(edges axes^2).
CUBEFOLD_API Schedule combined_neighbour_part(const NeighbourGrid& edges, Ports ports, Rank rank);

/// Returns the union of these parts. Costs O(ranks edges axes^2).
CUBEFOLD_API Schedule combined_neighbour_schedule(const NeighbourGrid& edges, Ports ports);

/// Counts what a method takes of each process and of the network, where edges have blocks of several sizes.
struct NeighbourCost {
  std::uint64_t phases = 0;        ///< phases that wait for the one before
  std::uint64_t messages = 0;      ///< most messages that one rank sends
  std::uint64_t bytes = 0;         ///< on the busiest link or port, summed over the phases
  std::uint64_t copied_bytes = 0;  ///< most bytes of blocks of others that a rank passes on

  bool operator==(const NeighbourCost&) const = default;

  /// Returns the time of phases that each take alpha, twice the gap for each message after the first, since a CPU posts
  /// and completes one after the other, and tau for each byte. What is passed on is copied twice.
  double seconds(double alpha, double gap, double tau, double copy_seconds_per_byte) const {
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    return number(phases) * alpha + 2 * gap * (number(messages) - number(phases)) + number(bytes) * tau +
           2 * number(copied_bytes) * copy_seconds_per_byte;
  }
};

/// Returns the cost of a method if the block of edge e has edge_bytes[e] on every rank. All messages of a phase travel
/// at once, and those of direct are one phase. Requires one number for each edge. Costs O(ranks edges axes^2 + links).
CUBEFOLD_API NeighbourCost neighbour_cost(const NeighbourGrid& edges, NeighbourMethod method,
                                          const Placement& placement, const NetworkRules& network,
                                          const std::vector<std::uint64_t>& edge_bytes);

}  // namespace cubefold
