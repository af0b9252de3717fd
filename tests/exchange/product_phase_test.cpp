#include "exchange/product_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exchange/moves_checks.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

using Sharing = ProductPhase::Sharing;

/// Returns every choice of one digit for each axis.
std::vector<std::vector<Digit>> all_digits(const Grid& grid) {
  std::vector<std::vector<Digit>> choices{{}};
  for (const Axis& axis : grid.axes()) {
    std::vector<std::vector<Digit>> longer;
    for (const auto& choice : choices) {
      for (std::uint32_t period = 1; period <= axis.extent; ++period) {
        for (std::uint32_t radix = 1; radix <= period; ++radix) {
          if (axis.extent % period != 0 || period % radix != 0) continue;
          longer.push_back(choice);
          longer.back().push_back({period, radix});
        }
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

/// Returns whether the coordinates of two nodes differ in nothing but the digits.
bool differ_in_digits_alone(const Grid& grid, const std::vector<Digit>& digits, GridNode a, GridNode b) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const Digit& digit = digits[static_cast<std::size_t>(axis)];
    const auto rest = [&](GridNode node) {
      const std::uint32_t x = grid.coordinate(node, axis);
      return x - digit.of(x) * digit.stride();
    };
    if (rest(a) != rest(b)) return false;
  }
  return true;
}

void expect_no_fault(const Grid& grid) {
  for (const auto& digits : all_digits(grid)) {
    for (const auto& rules : all_network_rules) {
      for (const Sharing sharing : {Sharing::no, Sharing::yes}) {
        const ProductPhase phase(grid, digits, rules.ports, rules.tie, sharing);
        EXPECT_EQ(first_moves_fault(
                      grid, phase, rules,
                      [&](GridNode a, GridNode b) { return differ_in_digits_alone(grid, digits, a, b); }),
                  std::nullopt)
            << name_of(grid, rules);
      }
    }
  }
}

TEST(ProductPhase, leads_to_every_node_that_differs_in_its_digits_once_without_conflicts) {
  for (const Grid& grid : grids_up_to(end_of_sweep(15, 12))) expect_no_fault(grid);
  for (const std::size_t node_count : {16U, 24U}) {
    for (const Grid& grid : some_of(grids_of(node_count, AxisOrders::ascending), 4)) expect_no_fault(grid);
  }
}

/// Returns the number of steps of a phase that changes the same digit on each of `axis_count` equal axes.
std::size_t steps_of(std::size_t axis_count, std::uint32_t extent, Ends ends, const Digit& digit,
                     Ports ports) {
  const Grid grid(std::vector<std::uint32_t>(axis_count, extent), ends);
  return ProductPhase(grid, std::vector<Digit>(axis_count, digit), ports, Tie::balanced).step_count();
}

template <typename Visit>
void for_each_equal_grid(Visit visit) {
  for (std::size_t c = 1; c <= 3; ++c) {
    for (std::uint32_t n = 2; n <= 64 && std::pow(n, c) <= 4096; n *= 2) {
      for (std::uint32_t period = 2; period <= n; period *= 2) {
        for (std::uint32_t radix = 2; radix <= period; radix *= 2) {
          visit(c, n, Digit{period, radix}, static_cast<std::size_t>(std::pow(radix, c)));
        }
      }
    }
  }
}

TEST(ProductPhase, of_equal_axes_of_meshes_takes_as_many_steps_as_blocks_cross_the_middle_of_a_period) {
  for_each_equal_grid([](std::size_t c, std::uint32_t n, const Digit& digit, std::size_t peers) {
    const std::size_t crossing = std::max<std::size_t>(1, digit.period * peers / 4);
    EXPECT_EQ(steps_of(c, n, Ends::open, digit, Ports::all), crossing) << c << ' ' << n << ' ' << digit.radix;
    EXPECT_EQ(steps_of(c, n, Ends::open, digit, Ports::one), std::max(crossing, peers - 1)) << c << ' ' << n;
  });
}

TEST(ProductPhase, round_rings_takes_half_of_that_but_for_radix_4) {
  for_each_equal_grid([](std::size_t c, std::uint32_t n, const Digit& digit, std::size_t peers) {
    if (n == 2) return;
    const bool is_ring = digit.period == n;
    const bool strided_4 = is_ring && digit.radix == 4 && n > 4;
    const std::size_t crossing = strided_4 ? n / 4 * (peers - 1) : digit.period * peers / (is_ring ? 8 : 4);
    const std::size_t steps = std::max<std::size_t>(1, crossing);
    EXPECT_EQ(steps_of(c, n, Ends::wrapped, digit, Ports::all), steps) << c << ' ' << n << ' ' << digit.radix;
    EXPECT_EQ(steps_of(c, n, Ends::wrapped, digit, Ports::one), std::max(steps, peers - 1)) << c << ' ' << n;
  });
}

TEST(ProductPhase, that_does_not_share_takes_its_partners_one_after_the_other) {
  const Grid mesh = parse_grid("mesh:8x8");
  const std::vector<Digit> halves{{8, 2}, {8, 2}};
  const auto steps = [&](Sharing sharing) {
    return ProductPhase(mesh, halves, Ports::one, Tie::balanced, sharing).step_count();
  };
  EXPECT_EQ(steps(Sharing::no), 12U);  // each of 3 partners takes 4 messages across the middle
  EXPECT_EQ(steps(Sharing::yes), 8U);  // the partners on axis 0 and on axis 1 share 4 steps
}

TEST(ProductPhase, without_a_digit_has_no_steps) {
  const Grid grid = parse_grid("mesh:3x4");
  const ProductPhase phase(grid, {{3, 1}, {1, 1}}, Ports::one, Tie::balanced);
  EXPECT_EQ(phase.step_count(), 0U);
  EXPECT_EQ(phase.moves_of(GridNode{5}), Moves{});
}

TEST(ProductPhase, refuses_digits_that_do_not_fit_the_grid) {
  const auto complaint = [](const std::vector<Digit>& digits) {
    return message_of([&] { ProductPhase(parse_grid("mesh:3x4"), digits, Ports::one, Tie::balanced); });
  };
  EXPECT_EQ(complaint({{3, 3}}), "ProductPhase: 1 digits for the 2 axes of mesh:3x4");
  EXPECT_EQ(complaint({{3, 3}, {3, 3}}),
            "axis_permutations: a digit of radix 3 and period 3 does not divide an axis of extent 4");
}

}  // namespace
}  // namespace cubefold
