#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "algorithm.hpp"
#include "grid_phases.hpp"
#include "lines_phase.hpp"
#include "message_remainders.hpp"

namespace cubefold {

namespace {

std::size_t first_axis(const Grid& grid, GridNode source, GridNode destination, std::size_t axis_count) {
  std::size_t sum = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    for (const GridNode node : {source, destination})
      sum += share_of(grid.coordinate(node, axis), grid.extent(axis), axis_count);
  }
  return sum % axis_count;
}

std::vector<std::uint32_t> all_coordinates(const Grid& grid, int axis) {
  std::vector<std::uint32_t> all(grid.extent(axis));
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// Returns the load of a message along axes[along]. In this phase it carries the blocks whose first axis is axes[along
/// - phase], in cyclic order.
GridPhase::Load load_along(const Grid& grid, const std::vector<int>& axes, std::size_t phase,
                           std::size_t along, GridNode from, GridNode to) {
  const std::size_t first = (along + axes.size() - phase) % axes.size();
  GridPhase::Load load;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    load.sources.push_back({grid.coordinate(from, axis)});
    load.destinations.push_back({grid.coordinate(to, axis)});
  }
  for (std::size_t turn = 0; turn < axes.size(); ++turn) {
    const int axis = axes[(first + turn) % axes.size()];
    if (turn < phase) load.sources[static_cast<std::size_t>(axis)] = all_coordinates(grid, axis);
    if (turn > phase) load.destinations[static_cast<std::size_t>(axis)] = all_coordinates(grid, axis);
  }
  load.takes = [grid, first, count = axes.size()](GridNode source, GridNode destination) {
    return first_axis(grid, source, destination, count) == first;
  };
  return load;
}

/// Holds the numbers of blocks of the messages along an axis. They differ by the remainder r mod c of the axis on which
/// the blocks of a message begin less the shares of the coordinates that all these blocks have in common: it is the
/// number of nodes of the other axes whose coordinates have shares of the sum r.
using Lengths = std::vector<std::uint64_t>;

Lengths lengths_along(const Grid& grid, const std::vector<int>& axes, int along) {
  Lengths lengths(axes.size(), 0);
  lengths[0] = 1;
  for (const int axis : axes) {
    if (axis == along) continue;
    Lengths more(axes.size(), 0);
    for (std::uint32_t x = 0; x < grid.extent(axis); ++x) {
      const std::size_t share = share_of(x, grid.extent(axis), axes.size());
      for (std::size_t r = 0; r < axes.size(); ++r) more[(r + share) % axes.size()] += lengths[r];
    }
    lengths = std::move(more);
  }
  return lengths;
}

std::vector<std::uint64_t> longest_messages(const Grid& grid) {
  const auto axes = long_axes(grid);
  std::vector<std::uint64_t> longest;
  for (const int axis : axes) {
    const Lengths lengths = lengths_along(grid, axes, axis);
    longest.push_back(*std::max_element(lengths.begin(), lengths.end()));
  }
  return longest;
}

std::vector<GridPhase> rotated_phases(const Grid& grid, Ports ports, Tie tie) {
  const auto axes = long_axes(grid);
  const auto lines = std::make_shared<LinesPhase>(grid, ports, tie, longest_messages(grid));
  std::vector<GridPhase> phases;
  for (std::size_t phase = 0; phase < axes.size(); ++phase) {
    const auto load_of = [grid, axes, phase](GridNode from, GridNode to) {
      const auto differs = [&](int axis) { return grid.coordinate(from, axis) != grid.coordinate(to, axis); };
      const auto along = std::find_if(axes.begin(), axes.end(), differs) - axes.begin();
      return load_along(grid, axes, phase, static_cast<std::size_t>(along), from, to);
    };
    phases.push_back(
        {lines->step_count(), [lines](GridNode node) { return lines->moves_of(node); }, load_of});
  }
  return phases;
}

ExchangeParts axis_rotated_parts(const ExchangeInputs& in) {
  return parts_of(in.placement, rotated_phases(in.placement.grid(), in.ports, in.tie));
}

/// Computes the blocks of each step.
class StepBlocks {
 public:
  StepBlocks(const Grid& grid, Ports ports, Tie tie)
      : longest_(longest_messages(grid)), rounds_(grid, longest_, ports, tie) {
    for (const int axis : rounds_.axes()) lengths_.push_back(lengths_along(grid, rounds_.axes(), axis));
    if (rounds_.tables() == Tables::yes) count(MessageRemainders(grid, rounds_, tie));
  }

  const LinesRounds& rounds() const { return rounds_; }

  /// Returns the steps of a phase in groups.
  ExchangeCost of_phase(std::size_t phase) const {
    ExchangeCost cost;
    for (std::size_t i = 0; i < rounds_.rounds().size(); ++i) {
      if (rounds_.rounds()[i].adds_classes && !remainders_.empty()) {
        add_counted(cost, i, phase);
      } else {
        add_longest(cost, rounds_.rounds()[i]);
      }
    }
    return cost;
  }

 private:
  void count(const MessageRemainders& remainders) {
    for (const LinesRound& round : rounds_.rounds()) {
      auto& own = remainders_.emplace_back();
      if (!round.adds_classes) continue;
      for (const auto& along : round.along) own.push_back(remainders.of(round, along));
    }
  }

  /// Adds the steps of a round whose messages have been counted.
  void add_counted(ExchangeCost& cost, std::size_t index, std::size_t phase) const {
    const LinesRound& round = rounds_.rounds()[index];
    const std::size_t c = lengths_.size();
    for (std::size_t step = 0; step < round.step_count; ++step) {
      std::uint64_t blocks = 0;
      for (std::size_t j = 0; j < round.along.size(); ++j) {
        const std::size_t axis = round.along[j].axis;
        for (std::size_t r = 0; r < c; ++r) {
          const std::size_t rest = (axis + 2 * c - phase - r) % c;
          if ((remainders_[index][j][step] >> r & 1) != 0) blocks = std::max(blocks, lengths_[axis][rest]);
        }
      }
      cost.add({1, blocks});
    }
  }

  /// Returns the number of steps of a round that have messages along an axis. These steps follow one another, since
  /// every class has a node that sends and the classes of different axes do not depend on each other.
  static std::size_t steps_along(const LinesRound& round, const LinesRound::Along& along) {
    if (!round.adds_classes) return along.class_count;
    std::size_t steps = 1;
    for (const auto& each : round.along) steps += each.class_count - 1;
    return std::min(steps, round.step_count);
  }

  /// Adds the steps of a round in which a step takes the longest message along any axis that it uses. This counts on
  /// one property: among the messages along an axis that are sent in a step, at least one has the most blocks, in every
  /// phase. There is no proof of it here. A count of the messages of all nodes confirms it for permutations that follow
  /// from formulas, on all grids with extents up to 64 on 2 axes (4096 nodes at most), 24 on 3 (8192), 16 on 4, and 8
  /// on 5 and 6 (20000).
  void add_longest(ExchangeCost& cost, const LinesRound& round) const {
    std::set<std::size_t> ends{round.step_count};
    for (const auto& along : round.along) {
      ends.insert(round.step_of(along, 0));
      ends.insert(round.step_of(along, steps_along(round, along)));
    }
    std::size_t begin = 0;
    for (const auto end : ends) {
      std::uint64_t blocks = 0;
      for (const auto& along : round.along) {
        const std::size_t since = (begin + round.step_count - round.step_of(along, 0)) % round.step_count;
        if (since < steps_along(round, along)) blocks = std::max(blocks, longest_[along.axis]);
      }
      cost.add({end - begin, blocks});
      begin = end;
    }
  }

  std::vector<std::uint64_t> longest_;
  std::vector<Lengths> lengths_;  ///< along each axis
  LinesRounds rounds_;
  std::vector<std::vector<std::vector<Remainders>>> remainders_;  ///< by round, axis of the round and step
};

/// Costs O(steps * c) and what LinesRounds costs.
ExchangeCost axis_rotated_cost(const ExchangeInputs& in) {
  const Grid& grid = in.placement.grid();
  const StepBlocks blocks(grid, in.ports, in.tie);
  const auto& axes = blocks.rounds().axes();
  ExchangeCost cost;
  for (std::size_t phase = 0; phase < axes.size(); ++phase) {
    Waits waits = Waits::first;
    for (StepGroup group : blocks.of_phase(phase).groups) {
      group.waits = std::exchange(waits, Waits::none);
      cost.add(group);
    }
    const std::size_t staying = grid.node_count() / grid.extent(axes[phase]);
    cost.sent_blocks += static_cast<double>(grid.node_count() - staying);
  }
  return cost;
}

}  // namespace

/// Describes a complete exchange in which all axes work all the time. It has as many phases as there are axes of more
/// than one node, c in number, and each phase is a LinesPhase. The block from s to d travels along axes k, k + 1, ...
/// in cyclic order, where
///
///     k = (sum of the shares of all coordinates of s and d) mod c.
///
/// A coordinate's share is which c-th of its axis it is in. On two axes the blocks of a message are then next to each
/// other in the send buffer if they begin with the last axis, and in the receive buffer if they begin with the first.
///
/// In a phase, a message along an axis carries the blocks of one k: p / (n c) of them, rounded up or down if c does not
/// divide the extents. No two messages of a step conflict. Works on any grid under any placement.
///
/// With equal extents n <= 15, the exchange takes c max(n^2 / 4, c (n - 1)) steps on meshes, rounded down, and c
/// max(n^2 / 8, c (n - 1)) steps on tori, rounded up. Longer extents that are powers of two take as many with n in
/// place of n - 1. If n >= 4 c on a mesh, the blocks on the busiest link meet the bisection bound p n / 4. On tori
/// with all ports they are p n / 8. Costs O(c p) for a part and O(c p^2) for the whole. docs/exchange-steps.md
/// describes the exchange. It moves whole blocks, not parts of each block.
const ExchangeDescriptor axis_rotated_algorithm{
    {"axis-rotated", "axis-rotated", "the same phases, with all axes at work all the time"},
    on_extents_with_permutations,
    axis_rotated_parts,
    axis_rotated_cost};

}  // namespace cubefold
