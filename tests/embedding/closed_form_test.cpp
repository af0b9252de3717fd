#include "embedding/closed_form.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>

#include "embedding/node_load.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

/// Visits all grids of up to 2^7 nodes and up to 3 axes whose extents are powers of two. Every axis is open or wrapped,
/// and extents of 1 are included.
void for_each_small_grid(const std::function<void(const Grid&)>& visit) {
  const std::function<void(std::vector<Axis>)> extend = [&](const std::vector<Axis>& axes) {
    const Grid grid(axes);
    visit(grid);
    if (axes.size() == 3) return;
    for (int bits = 0; bits + std::countr_zero(grid.node_count()) <= 7; ++bits) {
      for (const Ends ends : {Ends::open, Ends::wrapped}) {
        auto longer = axes;
        longer.push_back({1U << bits, ends});
        extend(longer);
      }
    }
  };
  extend({});
}

/// Returns placement rules that have a closed form, for blocked and for cyclic bits: one embedding on all axes,
/// embeddings that change from axis to axis, and reversed bits.
std::vector<PlacementRule> rules_for(const Grid& grid) {
  std::vector<PlacementRule> rules;
  for (const BitAssignment bits : {BitAssignment::blocked, BitAssignment::cyclic}) {
    rules.push_back({{Embedding::standard}, bits});
    rules.push_back({{Embedding::xor_}, bits});
    rules.push_back({{}, bits});
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      rules.back().embeddings.push_back(axis % 2 == 0 ? Embedding::xor_ : Embedding::standard);
    }
    if (grid.axis_count() == 0) rules.pop_back();
    rules.push_back({{Embedding::xor_}, bits});
    for (int bit = std::countr_zero(grid.node_count()); bit-- > 0;) rules.back().order.push_back(bit);
  }
  return rules;
}

void for_each_small_placement(const std::function<void(const Placement&)>& check) {
  for_each_small_grid([&](const Grid& grid) {
    for (const PlacementRule& rule : rules_for(grid)) {
      SCOPED_TRACE(to_string(grid) + " " + to_string(rule));
      check(Placement(grid, rule));
    }
  });
}

TEST(ClosedForm, of_the_dilation_spectrum_is_what_enumeration_gives) {
  for_each_small_placement(
      [](const Placement& p) { EXPECT_EQ(closed_form::dilation_spectrum(p), dilation_spectrum(p)); });
}

TEST(ClosedForm, of_constant_distances_is_what_enumeration_gives) {
  for_each_small_placement(
      [](const Placement& p) { EXPECT_EQ(closed_form::constant_distances(p), constant_distances(p)); });
}

TEST(ClosedForm, of_the_node_load_is_what_enumeration_gives) {
  for_each_small_placement([](const Placement& p) {
    const NodeLoad formula = node_load_by_formula(p);
    const NodeLoad counted = node_load(p);
    EXPECT_EQ(formula.maximum, counted.maximum);
    EXPECT_EQ(formula.minimum, counted.minimum);
    EXPECT_DOUBLE_EQ(formula.average, counted.average);
  });
}

TEST(ClosedForm, of_the_busiest_link_of_one_dimension_is_what_enumeration_gives) {
  for_each_small_placement([](const Placement& p) {
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      for (const int i : all_dimensions(p)) {
        EXPECT_EQ(closed_form::busiest_link(p, i, tie), busiest_link(p, std::vector{i}, tie)) << i;
      }
    }
  });
}

TEST(ClosedForm, of_the_busiest_link_of_all_dimensions_at_once_is_what_enumeration_gives) {
  for_each_small_placement([](const Placement& p) {
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      EXPECT_EQ(closed_form::busiest_link(p, tie), busiest_link(p, all_dimensions(p), tie));
    }
  });
}

TEST(ClosedForm, of_the_busiest_link_of_a_shift_is_what_enumeration_gives) {
  for (const char* text :
       {"line:1", "line:2", "line:7", "ring:7", "ring:8", "ring:10", "mesh:3x5", "torus:4x6", "torus:6x4x5",
        "grid:4wx3x6w", "hypercube:5", "torus:8x8", "mesh:1x6"}) {
    const Grid grid = parse_grid(text);
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      for (std::size_t offset = 0; offset < 2 * grid.node_count(); ++offset) {
        LinkLoads loads(grid, tie);
        for (std::size_t n = 0; n < grid.node_count(); ++n) {
          const auto to = static_cast<GridNode>((n + offset) % grid.node_count());
          loads.add(static_cast<GridNode>(n), to);
        }
        EXPECT_EQ(closed_form::busiest_link_of_shift(grid, offset, tie), loads.busiest())
            << text << " " << offset;
      }
    }
  }
}

TEST(ClosedForm, applies_to_standard_and_xor_on_powers_of_two) {
  const auto applies = [](const char* grid, const char* rule) {
    return closed_form::applies_to(Placement(parse_grid(grid), parse_placement(rule)));
  };
  EXPECT_TRUE(applies("torus:4x8", "xor/standard,bits=cyclic"));
  EXPECT_TRUE(applies("hypercube:3", "identity"));
  EXPECT_FALSE(applies("torus:4x8", "xor/gray"));
  EXPECT_FALSE(applies("torus:4x8", "by-weight"));
  EXPECT_FALSE(applies("ring:2", "nodes=1-0"));
  EXPECT_FALSE(applies("mesh:4x3", "identity"));
}

TEST(ClosedForm, of_the_time_is_what_enumeration_gives_where_distances_are_constant) {
  const StageCosts costs{0.25, 2};
  for_each_small_placement([&](const Placement& p) {
    const auto seconds = closed_form::cc_cube_seconds(p, costs);
    const auto counted = cc_cube_time(p, costs);
    EXPECT_DOUBLE_EQ(seconds.value_or(counted.seconds), counted.seconds);
    if (!seconds) return;
    EXPECT_EQ(counted.longest_waiting_seconds, 0);
  });
}

// These axes are longer than those of the small grids, so they could show errors of rounding and of periods.
TEST(ClosedForm, stands_on_single_axes_of_up_to_4096_nodes) {
  for (int bits = 8; bits <= 12; ++bits) {
    for (const char* kind : {"line:", "ring:"}) {
      for (const char* rule : {"standard", "xor"}) {
        const Placement p(parse_grid(kind + std::to_string(1 << bits)), parse_placement(rule));
        EXPECT_EQ(closed_form::dilation_spectrum(p), dilation_spectrum(p));
        EXPECT_EQ(node_load_by_formula(p).maximum, node_load(p).maximum);
        EXPECT_EQ(node_load_by_formula(p).minimum, node_load(p).minimum);
        for (const Tie tie : {Tie::positive, Tie::balanced}) {
          EXPECT_EQ(closed_form::busiest_link(p, tie), busiest_link(p, all_dimensions(p), tie));
        }
      }
    }
  }
}

TEST(ClosedForm, is_refused_for_other_embeddings_tables_and_dimensions) {
  const auto complaint = [](const char* grid, const char* rule) {
    return message_of(
        [&] { closed_form::dilation_spectrum(Placement(parse_grid(grid), parse_placement(rule))); });
  };
  EXPECT_EQ(complaint("torus:4x4", "xor/gray"),
            "closed_form: placement 'xor/gray' is not standard or xor on axis 1");
  EXPECT_EQ(complaint("torus:4x4", "by-weight"),
            "closed_form: placement 'by-weight' is not standard or xor on axis 0");
  EXPECT_EQ(complaint("ring:2", "nodes=1-0"),
            "closed_form: placement 'nodes=1-0' is not standard or xor on axis 0");
  EXPECT_EQ(complaint("mesh:4x3", "identity"),
            "placement 'identity' on mesh:4x3: extent 3 of axis 1 is not a power of two");
  EXPECT_EQ(message_of([] {
              closed_form::busiest_link(Placement(parse_grid("ring:4"), parse_placement("xor")), 2,
                                        Tie::balanced);
            }),
            "closed_form::busiest_link: dimension 2 is not in 0 .. 1");
}

}  // namespace
}  // namespace cubefold
