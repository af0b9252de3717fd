#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "algorithm.hpp"
#include "digit_phase.hpp"
#include "mixed_radix.hpp"

// This file lists the algorithms that a list of digits describes; mixed_radix.cpp builds their schedules.
namespace cubefold {

namespace {

constexpr Digit no_digit{1, 1};

void require_powers_of_two(const char* name, const Grid& grid) {
  for (const Axis& axis : grid.axes()) {
    if (!std::has_single_bit(axis.extent))
      throw std::invalid_argument(fmt::format("{}: extent {} is no power of two", name, axis.extent));
  }
}

std::uint32_t longest(const Grid& grid) {
  std::uint32_t extent = 1;
  for (const Axis& axis : grid.axes()) extent = std::max(extent, axis.extent);
  return extent;
}

Digit halving(const Axis& axis, std::uint32_t period) {
  return period <= axis.extent ? Digit{period, 2} : no_digit;
}

RadixPhase halving_of_all(const Grid& grid, std::uint32_t period, ProductPhase::Sharing sharing) {
  RadixPhase phase{{}, sharing};
  for (const Axis& axis : grid.axes()) phase.digits.push_back(halving(axis, period));
  return phase;
}

/// Adds one phase for each axis that has the digit.
void add_halvings(std::vector<RadixPhase>& phases, const Grid& grid, std::uint32_t period) {
  for (std::size_t axis = 0; axis < grid.axes().size(); ++axis) {
    RadixPhase phase{std::vector<Digit>(grid.axes().size(), no_digit)};
    phase.digits[axis] = halving(grid.axes()[axis], period);
    if (phase.digits[axis].radix != 1) phases.push_back(phase);
  }
}

}  // namespace

std::vector<RadixPhase> coarse_to_fine(const Grid& grid, const std::vector<std::uint32_t>& radices) {
  std::vector<RadixPhase> phases;
  std::vector<std::uint32_t> left;
  for (const Axis& axis : grid.axes()) left.push_back(axis.extent);
  for (const auto radix : radices) {
    if (radix < 2) throw std::invalid_argument(fmt::format("coarse_to_fine: radix {} is below 2", radix));
    RadixPhase& phase = phases.emplace_back();
    for (auto& extent : left) {
      const std::uint32_t own = std::min(radix, extent);
      if (extent % own != 0) {
        throw std::invalid_argument(fmt::format(
            "coarse_to_fine: radix {} does not divide {}, what is left of an axis", radix, extent));
      }
      phase.digits.push_back(own == 1 ? no_digit : Digit{extent, own});
      extent /= own;
    }
  }
  for (std::size_t axis = 0; axis < left.size(); ++axis) {
    if (left[axis] != 1) {
      throw std::invalid_argument(
          fmt::format("mixed_radix_exchange: the digits of axis {} do not make up its extent {}", axis,
                      grid.axes()[axis].extent));
    }
  }
  return phases;
}

std::vector<RadixPhase> binary_phases(const Grid& grid) {
  require_powers_of_two("binary_phases", grid);
  std::vector<RadixPhase> phases;
  for (std::uint32_t period = longest(grid); period >= 2; period /= 2) add_halvings(phases, grid, period);
  return phases;
}

std::vector<RadixPhase> quadrant_phases(const Grid& grid) {
  require_powers_of_two("quadrant_phases", grid);
  std::vector<RadixPhase> phases;
  for (std::uint32_t period = longest(grid); period >= 2; period /= 2)
    phases.push_back(halving_of_all(grid, period, ProductPhase::Sharing::no));
  return phases;
}

std::vector<RadixPhase> modified_quadrant_phases(const Grid& grid) {
  auto phases = quadrant_phases(grid);
  for (auto& phase : phases) phase.sharing = ProductPhase::Sharing::yes;
  return phases;
}

std::vector<RadixPhase> cyclic_phases(const Grid& grid) {
  require_powers_of_two("cyclic_phases", grid);
  std::vector<RadixPhase> phases;
  for (std::uint32_t period = 2; period <= longest(grid); period *= 2) add_halvings(phases, grid, period);
  return phases;
}

std::vector<RadixPhase> hybrid_phases(const Grid& grid, std::uint32_t radix) {
  require_powers_of_two("hybrid_phases", grid);
  std::vector<std::uint32_t> radices{radix};
  for (std::uint32_t left = longest(grid) / std::max(radix, 1U); left >= 2; left /= 2) radices.push_back(2);
  return coarse_to_fine(grid, radices);
}

RadixPhase whole_digits(const Grid& grid) {
  RadixPhase phase;
  for (const Axis& axis : grid.axes()) phase.digits.push_back({axis.extent, axis.extent});
  return phase;
}

std::vector<RadixPhase> axis_phases(const Grid& grid) {
  std::vector<RadixPhase> phases;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) phases.push_back({whole_axis(grid, axis)});
  return phases;
}

namespace {

/// Returns the descriptor of an algorithm whose phases are PhasesOf{}(grid, numbers).
template <typename PhasesOf>
constexpr ExchangeDescriptor in_phases(PhasesOf /*phases_of*/, const ExchangeAlgorithmInfo& info,
                                       std::vector<Numbers> (*choices)(const Grid& grid)) {
  return {info, choices,
          [](const ExchangeInputs& in) {
            const auto phases = PhasesOf{}(in.placement.grid(), in.numbers);
            return mixed_radix_parts(in.placement, phases, in.ports, in.tie);
          },
          [](const ExchangeInputs& in) {
            const Grid& grid = in.placement.grid();
            const auto phases = PhasesOf{}(grid, in.numbers);
            if (grid.route_table() == nullptr) return mixed_radix_cost(grid, phases, in.ports, in.tie);
            const auto parts = mixed_radix_parts(in.placement, phases, in.ports, in.tie);
            return cost_of_schedule(in.placement, parts.whole(), {in.ports, in.tie});
          }};
}

std::vector<Numbers> hybrid_radices(const Grid& grid) {
  std::vector<Numbers> choices;
  if (on_powers_of_two(grid).empty()) return choices;
  for (std::uint32_t radix = 4; radix < longest(grid); radix *= 2) choices.push_back({radix});
  return choices;
}

}  // namespace

/// Describes the direct exchange. Every block travels once, in a message of its own, in one digit_phase() of whole
/// coordinates. If all extents are powers of two and n is the longest of them, it takes at most
///
///     p max(1, n / 4) steps on meshes, p max(1, n / 8) on tori with balanced ties (p / 2 with all ports, n <= 4),
///
/// which is the bisection bound. It also meets the bound on meshes whose extents are multiples of 4 and on every line.
/// The tests compare it with the bound of links and ports on grids of up to 4 axes with extents up to 16. Under
/// balanced ties it takes at most 1.1 times the bound on all of them up to 256 nodes, and at most 1.25 times on a
/// sample up to 1000 nodes. Under both tie rules it takes at most 1.25 times the bound on all from 401 to 4096 nodes.
/// docs/exchange-steps.md has figures.
///
/// With one port, longer axes that are no powers of two take more steps. The factor is at most 1.06 on rings of 17 to
/// 28 nodes and 1.23 on meshes and tori of 2 equal axes of 17 to 20 nodes. Steps are not searched for on more than 400
/// nodes. On meshes of 2 and 3 equal axes from 17 on, the factor is then at most 1.34 and 1.51. On tori of 2 and 3
/// equal axes, the factors are at most 1.06 and 1.08 for multiples of 8, at most 2.18 and 2.44 for other even extents,
/// and at most 3.9 and 4.32 for odd ones. A part costs O(p) and the whole O(p^2), besides the search. On grids with a
/// route table, a RoutedPhase makes the steps, and a part costs as much as the whole. Source: [Calmant] section 5 names
/// the bound for equal axes ("Direct"); the construction is our own.
const ExchangeDescriptor direct_algorithm = in_phases(
    [](const Grid& grid, const Numbers&) { return std::vector{whole_digits(grid)}; },
    {.name = "direct", .examples = "direct", .summary = "every block travels once", .needs_axes = false},
    on_extents_with_permutations);

const ExchangeDescriptor axes_algorithm =
    in_phases([](const Grid& grid, const Numbers&) { return axis_phases(grid); },
              {"axes", "axes", "one phase for each axis, direct among the nodes of its lines"},
              on_extents_with_permutations);

const ExchangeDescriptor binary_algorithm =
    in_phases([](const Grid& grid, const Numbers&) { return binary_phases(grid); },
              {.name = "binary",
               .examples = "binary",
               .summary = "halves one axis after the other, coarse to fine",
               .is_compared = false},
              on_powers_of_two);

const ExchangeDescriptor quadrant_algorithm =
    in_phases([](const Grid& grid, const Numbers&) { return quadrant_phases(grid); },
              {.name = "quadrant",
               .examples = "quadrant",
               .summary = "halves all axes at once, coarse to fine, with one partner after the other",
               .is_compared = false},
              on_powers_of_two);

const ExchangeDescriptor modified_quadrant_algorithm =
    in_phases([](const Grid& grid, const Numbers&) { return modified_quadrant_phases(grid); },
              {"modified-quadrant", "modified-quadrant", "as quadrant, but interleaved groups share steps"},
              on_powers_of_two);

const ExchangeDescriptor cyclic_algorithm =
    in_phases([](const Grid& grid, const Numbers&) { return cyclic_phases(grid); },
              {.name = "cyclic",
               .examples = "cyclic",
               .summary = "halves one axis after the other, fine to coarse",
               .is_compared = false},
              on_powers_of_two);

const ExchangeDescriptor hybrid_algorithm =
    in_phases([](const Grid& grid, const Numbers& radix) { return hybrid_phases(grid, radix.at(0)); },
              {.name = "hybrid",
               .examples = "hybrid:4",
               .summary = "the coarsest digit of all axes in this radix, then modified-quadrant",
               .fewest_numbers = 1,
               .most_numbers = 1,
               .is_compared = false},
              hybrid_radices);

const ExchangeDescriptor mixed_radix_algorithm =
    in_phases([](const Grid& grid, const Numbers& radices) { return coarse_to_fine(grid, radices); },
              {.name = "mixed-radix",
               .examples = "mixed-radix:4-2",
               .summary = "digits of all axes in these radices, coarse to fine",
               .fewest_numbers = 1,
               .most_numbers = std::numeric_limits<std::size_t>::max(),
               .is_compared = false},
              on_request_only);

}  // namespace cubefold
