#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "lines_phase.hpp"

namespace cubefold {

/// A set of remainders mod c, with bit r for the remainder r. c is the number of axes of more than one node.
using Remainders = std::uint64_t;

/// Returns in which of `count` shares of an axis a coordinate is. Shares are consecutive coordinates, and their sizes
/// differ by one at most, the larger ones first.
constexpr std::size_t share_of(std::uint32_t coordinate, std::uint32_t extent, std::size_t count) {
  const std::size_t size = extent / count;
  const std::size_t in_larger = extent % count * (size + 1);
  if (coordinate < in_larger) return coordinate / (size + 1);
  return extent % count + (coordinate - in_larger) / size;
}

/// Finds the messages of the rounds of a LinesPhase whose classes are added, as far as their lengths depend on them: by
/// the remainder mod c of
///
///     share of the coordinate of the sender + that of the receiver on the axis of the message + sum of the shares on
///     all others.
class MessageRemainders {
 public:
  /// Keeps references to the grid and the rounds. Most of the time goes into closed_permutations().
  MessageRemainders(const Grid& grid, const LinesRounds& rounds, Tie tie);

  /// Returns the remainders of the messages of a round along one of its axes, for each step. Requires that
  /// the round adds classes. Costs O(extents + c classes^2).
  std::vector<Remainders> of(const LinesRound& round, const LinesRound::Along& along) const;

 private:
  using BySum = std::vector<Remainders>;  ///< by the sum of classes, mod the steps of a round

  std::size_t axis_count() const { return rounds_.axes().size(); }
  std::uint32_t extent(std::size_t axis) const { return grid_.extent(rounds_.axes()[axis]); }
  Remainders rotated(Remainders set, std::size_t by) const;
  Remainders sums(Remainders a, Remainders b) const;
  BySum sums(const BySum& a, const BySum& b) const;
  Remainders all_of(std::size_t axis) const;

  const Grid& grid_;
  const LinesRounds& rounds_;
  std::vector<std::vector<AxisPermutation>> permutations_;  ///< of each axis that shares steps
};

}  // namespace cubefold
