#include "mixed_radix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "digit_phase.hpp"

namespace cubefold {

namespace {

/// Returns the coordinates that agree with `at` in the digits of `fixed`; their other digits are free.
std::vector<std::uint32_t> agreeing(std::uint32_t extent, std::uint32_t at, const std::vector<Digit>& fixed) {
  std::vector<std::uint32_t> coordinates;
  for (std::uint32_t x = 0; x < extent; ++x) {
    const auto agrees = [&](const Digit& digit) { return digit.of(x) == digit.of(at); };
    if (std::all_of(fixed.begin(), fixed.end(), agrees)) coordinates.push_back(x);
  }
  return coordinates;
}

/// Returns the digits of an axis in the order of their phases, including those of radix 1.
std::vector<Digit> digits_of_axis(const std::vector<RadixPhase>& phases, std::size_t axis) {
  std::vector<Digit> digits;
  digits.reserve(phases.size());
  for (const auto& phase : phases) digits.push_back(phase.digits.at(axis));
  return digits;
}

void require_complete(const Grid& grid, const std::vector<RadixPhase>& phases) {
  for (std::size_t axis = 0; axis < grid.axes().size(); ++axis) {
    auto digits = digits_of_axis(phases, axis);
    std::erase_if(digits, [](const Digit& digit) { return digit.radix == 1; });
    std::sort(digits.begin(), digits.end(),
              [](const Digit& a, const Digit& b) { return a.period > b.period; });
    std::uint32_t left = grid.axes()[axis].extent;
    const bool each_once = std::all_of(digits.begin(), digits.end(), [&](const Digit& digit) {
      if (digit.period != left || digit.radix == 0 || left % digit.radix != 0) return false;
      left /= digit.radix;
      return true;
    });
    if (!each_once || left != 1) {
      throw std::invalid_argument(
          fmt::format("mixed_radix_exchange: the digits of axis {} do not make up its extent {}", axis,
                      grid.axes()[axis].extent));
    }
  }
}

/// Returns the load of a message of phase `now`. Its sources agree with `from` in the digits of this phase and of later
/// ones, and may differ in the digits of earlier phases. Its destinations agree with `to` in the digits of this phase
/// and of earlier ones, and may differ in the digits of later phases.
GridPhase::Load load_between(const Grid& grid, const std::vector<RadixPhase>& phases, std::size_t now,
                             GridNode from, GridNode to) {
  GridPhase::Load load;
  for (int j = 0; j < grid.axis_count(); ++j) {
    const auto axis = static_cast<std::size_t>(j);
    const auto digits = digits_of_axis(phases, axis);
    const auto split = digits.begin() + static_cast<std::ptrdiff_t>(now);
    load.sources.push_back(agreeing(grid.extent(j), grid.coordinate(from, j), {split, digits.end()}));
    load.destinations.push_back(
        agreeing(grid.extent(j), grid.coordinate(to, j), {digits.begin(), split + 1}));
  }
  return load;
}

std::vector<GridPhase> grid_phases(const Grid& grid, const std::vector<RadixPhase>& phases, Ports ports,
                                   Tie tie) {
  require_complete(grid, phases);
  std::vector<GridPhase> result;
  for (std::size_t now = 0; now < phases.size(); ++now) {
    result.push_back(digit_phase(grid, phases[now].digits, ports, tie, phases[now].sharing));
    result.back().load_of = [grid, phases, now](GridNode from, GridNode to) {
      return load_between(grid, phases, now, from, to);
    };
  }
  return result;
}

}  // namespace

Schedule mixed_radix_exchange(const Placement& placement, const std::vector<RadixPhase>& phases, Ports ports,
                              Tie tie) {
  return schedule_of(placement, grid_phases(placement.grid(), phases, ports, tie));
}

Schedule mixed_radix_exchange_part(const Placement& placement, const std::vector<RadixPhase>& phases,
                                   Ports ports, Tie tie, Rank rank) {
  return part_of(placement, grid_phases(placement.grid(), phases, ports, tie), rank);
}

// The messages of a phase go between nodes that differ in its digits only. Together with the blocks that stay, they
// carry equal shares of all blocks that a node has.
ExchangeCost mixed_radix_exchange_cost(const Grid& grid, const std::vector<RadixPhase>& phases, Ports ports,
                                       Tie tie) {
  require_complete(grid, phases);
  ExchangeCost cost;
  for (const RadixPhase& phase : phases) {
    std::size_t peers = 1;  // the node itself included
    for (const Digit& digit : phase.digits) peers *= digit.radix;
    const std::size_t blocks = grid.node_count() / peers;
    if (grid.route_table() != nullptr) {
      Waits waits = Waits::first;
      for (const std::uint64_t startups : routed_phase_startups(grid, phase.digits, ports))
        cost.add({1, blocks, startups, std::exchange(waits, Waits::none)});
    } else {
      cost.add({digit_phase_steps(grid, phase.digits, ports, tie, phase.sharing), blocks, 1, Waits::first});
    }
    cost.sent_blocks += static_cast<double>(blocks * (peers - 1));
  }
  return cost;
}

}  // namespace cubefold
