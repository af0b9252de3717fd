#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/topology/grid.hpp"
#include "exchange/exchange_checks.hpp"
#include "exchange/moves.hpp"

namespace cubefold {

/// Returns whether a message goes up an axis. The tests compute this without the library, so that an error of the
/// library cannot hide itself.
inline bool goes_up(const Axis& axis, std::uint32_t from, std::uint32_t to, Tie tie) {
  if (axis.ends == Ends::open || axis.extent <= 2) return to > from;
  const std::uint32_t above = (to + axis.extent - from) % axis.extent;
  const std::uint32_t below = axis.extent - above;
  return above < below || (above == below && (tie == Tie::positive || from % 2 == 0));
}

/// Checks the messages of a phase one by one for conflicts, for phases that are too large for a whole schedule. Holds a
/// bit for every link and every port in every step.
class WalkedMoves {
 public:
  WalkedMoves(const Grid& grid, const NetworkRules& rules, std::size_t step_count)
      : grid_(grid),
        rules_(rules),
        links_(step_count * grid.node_count() * grid.axes().size() * 2),
        senders_(step_count * grid.node_count()),
        receivers_(step_count * grid.node_count()) {}

  /// Marks the links and ports of a message as taken. Returns false if an earlier message of the step has taken one of
  /// them.
  bool walk(std::size_t step, GridNode from, GridNode to) {
    const auto own = static_cast<std::size_t>(from);
    if (rules_.ports == Ports::one &&
        (!take(senders_, step * grid_.node_count() + own) ||
         !take(receivers_, step * grid_.node_count() + static_cast<std::size_t>(to))))
      return false;
    std::size_t at = own;
    for (int axis = 0; axis < grid_.axis_count(); ++axis) {
      const Axis& line = grid_.axes()[static_cast<std::size_t>(axis)];
      const std::uint32_t end = grid_.coordinate(to, axis);
      std::uint32_t x = grid_.coordinate(from, axis);
      if (x == end) continue;
      const bool up = goes_up(line, x, end, rules_.tie);
      const std::size_t first =
          ((step * grid_.axes().size() + static_cast<std::size_t>(axis)) * 2 + (up ? 1 : 0)) *
          grid_.node_count();
      const std::size_t lowest = at - x * grid_.stride(axis);
      while (x != end) {
        if (!take(links_, first + lowest + x * grid_.stride(axis))) return false;
        x = up ? (x + 1 == line.extent ? 0 : x + 1) : (x == 0 ? line.extent : x) - 1;
      }
      at = lowest + end * grid_.stride(axis);
    }
    return true;
  }

 private:
  static bool take(std::vector<bool>& taken, std::size_t i) {
    if (taken[i]) return false;
    return taken[i] = true;
  }

  Grid grid_;
  NetworkRules rules_;
  std::vector<bool> links_, senders_, receivers_;
};

/// Returns what is wrong with a phase in which every node sends to every other node, or nothing. The phase has a fault
/// if two messages meet, if a node sends to another node twice or not at all, or if the two ends of messages disagree.
/// The ends are compared by a sum of hashes over the sends and one over the receives.
template <typename Phase>
std::optional<std::string> first_walk_fault(const Grid& grid, const Phase& phase, const NetworkRules& rules) {
  const auto hash = [](std::size_t step, GridNode from, GridNode to) {
    std::uint64_t x = step * 0x9e3779b97f4a7c15U ^ (std::uint64_t{static_cast<std::uint32_t>(from)} << 32 |
                                                    static_cast<std::uint32_t>(to));
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9U;
    return x ^ x >> 29;
  };
  WalkedMoves walked(grid, rules, phase.step_count());
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < grid.node_count(); ++i) {
    const auto node = static_cast<GridNode>(i);
    const Moves moves = phase.moves_of(node);
    std::vector<bool> met(grid.node_count());
    met[i] = true;
    for (const auto& [step, peer] : moves.sends) {
      if (met.at(static_cast<std::size_t>(peer))) return "a node is met twice";
      met[static_cast<std::size_t>(peer)] = true;
      if (!walked.walk(step, node, peer)) return "messages meet in step " + std::to_string(step);
      difference += hash(step, node, peer);
    }
    if (moves.sends.size() + 1 != grid.node_count()) return "a node is left out";
    for (const auto& [step, peer] : moves.receives) difference -= hash(step, peer, node);
  }
  return difference == 0 ? std::nullopt : std::optional<std::string>("what is sent is not what is received");
}

}  // namespace cubefold
