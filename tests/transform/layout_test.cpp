#include "cubefold/transform/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lowered_run.hpp"
#include "support/message_of.hpp"
#include "transform/layouts.hpp"

namespace cubefold::fft {
namespace {

constexpr Spread spreads[] = {Spread::local, Spread::block, Spread::cyclic, Spread::conjugate_pairs};

/// Returns small layouts of one to three dimensions in different orders, with every spread, even and uneven.
std::vector<Layout> small_layouts() {
  std::vector<Layout> layouts;
  for (std::size_t members = 1; members <= 6; ++members) {
    for (const Spread spread : spreads) {
      if (spread == Spread::local && members > 1) continue;
      for (std::size_t extent = 1; extent <= 14; ++extent) {
        layouts.push_back({{{extent, 1, spread}}, {members}});
        layouts.push_back({{{extent, 3, spread}, {3, 1}}, {members}});
        layouts.push_back({{{4, extent}, {extent, 1, spread}}, {members}});
        layouts.push_back(
            {{{extent, 1, spread, 1}, {2, extent}, {3, 2 * extent, Spread::block, 0}}, {2, members}});
      }
    }
  }
  return layouts;
}

TEST(Layout, gives_every_index_one_place_on_one_process) {
  for (const Layout& layout : small_layouts()) {
    SCOPED_TRACE(to_string(layout));
    std::size_t place_count = 0;
    std::size_t largest = 0;
    for (const auto& members : all_members(layout.axis_members())) {
      const std::size_t count = layout.local_count(members);
      place_count += count;
      largest = std::max(largest, count);
      for (std::size_t place = 0; place < count; ++place) {
        const std::size_t point = layout.point_at(members, place);
        ASSERT_LT(point, layout.index_count());
        ASSERT_EQ(layout.owner(point), members);
        ASSERT_EQ(layout.place_of(point), place);
      }
    }
    EXPECT_EQ(place_count, layout.index_count());
    EXPECT_EQ(largest, layout.largest_local_count());
  }
}

TEST(Layout, keeps_the_values_of_a_dimension_in_ascending_runs) {
  for (const Layout& layout : small_layouts()) {
    for (const auto& members : all_members(layout.axis_members())) {
      for (std::size_t dimension = 0; dimension < layout.dimensions().size(); ++dimension) {
        std::size_t place = 0;
        std::size_t last = 0;
        ASSERT_LE(layout.runs(dimension, members).size(), 3U);
        for (const ValueRun& run : layout.runs(dimension, members)) {
          ASSERT_GT(run.count, 0U);
          for (std::size_t i = 0; i < run.count; ++i, ++place) {
            const std::size_t value = run.first + i * run.step;
            ASSERT_EQ(layout.dimension_at(dimension, place, members), value);
            ASSERT_EQ(layout.dimension_place(dimension, value), place);
            ASSERT_TRUE(place == 0 || value > last);
            last = value;
          }
        }
        ASSERT_EQ(layout.dimension_count(dimension, members), place);
      }
    }
  }
}

TEST(Layout, keeps_values_of_pairs_together_and_the_members_even) {
  for (std::size_t members = 1; members <= 8; ++members) {
    for (std::size_t extent = 1; extent <= 40; ++extent) {
      const Layout layout({{extent, 1, Spread::conjugate_pairs}}, {members});
      for (std::size_t value = 0; value < extent; ++value) {
        EXPECT_EQ(layout.owner(value), layout.owner((extent - value) % extent));
      }
      if (extent % (2 * members) == 0) {
        for (std::size_t member = 0; member < members; ++member) {
          EXPECT_EQ(layout.local_count({member}), extent / members);
        }
      }
    }
  }
  const Layout twelve({{12, 1, Spread::conjugate_pairs}}, {3});  // pairs 0-6, 1-11 | 2-10, 3-9 | 4-8, 5-7
  EXPECT_EQ(twelve.runs(0, {0}), (std::vector<ValueRun>{{0, 1, 2}, {6, 1, 1}, {11, 1, 1}}));
  EXPECT_EQ(twelve.runs(0, {1}), (std::vector<ValueRun>{{2, 1, 2}, {9, 1, 2}}));
  EXPECT_EQ(twelve.runs(0, {2}), (std::vector<ValueRun>{{4, 1, 2}, {7, 1, 2}}));
}

TEST(Layout, has_blocks_as_fftw_and_leaves_the_last_members_short_or_without) {
  const Layout layout = block_layout(10, 3, 4);  // rows 0-2, 3-5, 6-8, 9
  EXPECT_EQ(layout.local_count({0}), 9U);
  EXPECT_EQ(layout.local_count({3}), 3U);
  EXPECT_EQ(layout.point_at({3}, 0), 27U);
  EXPECT_EQ(block_layout(5, 1, 4).local_count({3}), 0U);  // 2, 2, 1, none
}

TEST(Layout, has_scrambled_order_with_high_parts_together) {
  const Layout layout = scrambled_layout(4, 3, 2);  // point a + 4 b, blocks of a
  std::vector<std::size_t> first;
  for (std::size_t place = 0; place < 6; ++place) first.push_back(layout.point_at({0}, place));
  EXPECT_EQ(first, (std::vector<std::size_t>{0, 4, 8, 1, 5, 9}));
}

TEST(Layout, calls_padding_what_is_beyond_the_points) {
  const Layout layout({{4, 1, Spread::block}}, {2}, 3);
  EXPECT_EQ(layout.point_count(), 3U);
  EXPECT_EQ(layout.index_count(), 4U);
  EXPECT_EQ(layout.point_at({1}, 1), 3U);
}

TEST(Layout, refuses_what_is_no_mixed_radix_or_leaves_an_axis_open) {
  const auto complaint = [](std::vector<IndexDimension> dimensions, std::vector<std::size_t> members,
                            std::optional<std::size_t> points = {}) {
    return message_of([&] { Layout(std::move(dimensions), std::move(members), points); });
  };
  EXPECT_EQ(complaint({{4, 3}, {4, 1}}, {1}),
            "Layout: a dimension of weight 3 where the dimensions below it need 4");
  EXPECT_EQ(complaint({{4, 2}}, {1}), "Layout: a dimension of weight 2 where the dimensions below it need 1");
  EXPECT_EQ(complaint({{0, 1}}, {1}), "Layout: a dimension of extent 0");
  EXPECT_EQ(complaint({{4, 1}}, {0}), "Layout: process axis 0 has no members");
  EXPECT_EQ(complaint({{4, 1}}, {2}), "Layout: process axis 0 of 2 members spreads 0 dimensions, not one");
  EXPECT_EQ(complaint({{2, 2, Spread::block}, {2, 1, Spread::cyclic}}, {2}),
            "Layout: process axis 0 of 2 members spreads 2 dimensions, not one");
  EXPECT_EQ(complaint({{2, 1, Spread::block, 1}}, {2}), "Layout: a dimension over process axis 1, of 1 axes");
  EXPECT_EQ(complaint({{2, 1, Spread::block}}, {2}, 3), "Layout: 3 points, but 2 indices");
  EXPECT_EQ(complaint({{std::size_t{1} << 40, 1}, {std::size_t{1} << 40, std::size_t{1} << 40}}, {1}),
            "Layout: more indices than 64 bits count");
  EXPECT_EQ(message_of([] {
              array_layout({2, 2}, {2}, {2});
            }),
            "array_layout: dimension 2 of process axis 0 is not one of the array's 2, or taken");
  EXPECT_EQ(message_of([] {
              array_layout({2, 2}, {0, 1}, {2});
            }),
            "array_layout: 2 dimensions for 1 process axes");
}

bool same_by_enumeration(const Layout& a, const Layout& b) {
  if (a.index_count() != b.index_count() || a.axis_members() != b.axis_members()) return false;
  for (std::size_t point = 0; point < a.index_count(); ++point) {
    if (a.owner(point) != b.owner(point) || a.place_of(point) != b.place_of(point)) return false;
  }
  return true;
}

/// Returns the layouts of `count` indices in two dimensions, for all factors, both orders and every spread of one of
/// them.
std::vector<Layout> cuts_of(std::size_t count, std::size_t members) {
  std::vector<Layout> layouts;
  for (const Spread spread : spreads) {
    if (spread == Spread::local && members > 1) continue;
    for (std::size_t low = 1; low <= count; ++low) {
      if (count % low != 0) continue;
      const IndexDimension high{count / low, low, spread};
      layouts.push_back({{high, {low, 1}}, {members}});
      layouts.push_back({{{low, 1}, high}, {members}});
      layouts.push_back({{{count / low, low}, {low, 1, spread}}, {members}});
      layouts.push_back({{{low, 1, spread}, {count / low, low}}, {members}});
    }
  }
  return layouts;
}

TEST(SamePlaces, holds_only_where_every_index_has_the_same_place) {
  for (const std::size_t count : {1U, 2U, 6U, 8U, 12U, 16U}) {
    for (const std::size_t members : {1U, 2U, 3U, 4U}) {
      const auto layouts = cuts_of(count, members);
      for (const Layout& a : layouts) {
        for (const Layout& b : layouts) {
          if (same_places(a, b)) {
            ASSERT_TRUE(same_by_enumeration(a, b)) << to_string(a) << " and " << to_string(b);
          }
        }
      }
    }
  }
}

// Layouts with unequal blocks are left out, because they sometimes agree by chance, and conjugate pairs, because those
// of few values agree with other spreads.
TEST(SamePlaces, sees_through_all_cuts_that_the_members_divide) {
  for (const auto& [count, members] :
       {std::pair<std::size_t, std::size_t>{16, 1}, {16, 2}, {16, 4}, {12, 2}, {27, 3}}) {
    for (const Layout& a : cuts_of(count, members)) {
      for (const Layout& b : cuts_of(count, members)) {
        const auto even = [&, p = members](const Layout& layout) {
          for (const IndexDimension& d : layout.dimensions()) {
            if (d.spread == Spread::conjugate_pairs || (d.spread != Spread::local && d.extent % p != 0))
              return false;
          }
          return true;
        };
        if (!even(a) || !even(b)) continue;
        ASSERT_EQ(same_places(a, b), same_by_enumeration(a, b)) << to_string(a) << " and " << to_string(b);
      }
    }
  }
}

}  // namespace
}  // namespace cubefold::fft
