#include "npy/own_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "transform/layouts.hpp"

using cubefold::fft::Layout;
using cubefold::fft::Spread;
using cubefold::npy::Owners;
using cubefold::npy::OwnPoints;

namespace {

/// Returns layouts of every distribution, over no, one and two process axes, with padding, empty processes and other
/// orders in memory.
std::vector<Layout> layouts() {
  std::vector<Layout> result{Layout(),
                             Layout({{5, 3, Spread::cyclic, 0}, {3, 1}}, {2}, 13),
                             Layout({{3, 1, Spread::block, 0}, {5, 3}}, {4}, 14),
                             Layout({{4, 7}, {7, 1, Spread::conjugate_pairs, 0}}, {3}),
                             Layout({{8, 1, Spread::conjugate_pairs, 0}, {3, 8}}, {3}, 17),
                             Layout({{4, 30, Spread::cyclic, 1}, {5, 1}, {6, 5, Spread::block, 0}}, {4, 3})};
  for (const std::size_t processes : {1U, 2U, 3U, 4U, 8U}) {
    result.push_back(cubefold::fft::block_layout(7, 5, processes));
    result.push_back(cubefold::fft::cyclic_layout(26, processes));
    result.push_back(cubefold::fft::scrambled_layout(6, 5, processes));
    result.push_back(cubefold::fft::array_layout({5, 3, 4}, {0}, {processes}));
    result.push_back(cubefold::fft::array_layout({5, 3, 4}, {0, 1}, {2, processes}));
  }
  result.push_back(cubefold::fft::block_cyclic_layout(64, 4));
  return result;
}

std::vector<Layout::Members> all_members(const Layout& layout) {
  std::vector<Layout::Members> all{{}};
  for (const std::size_t count : layout.axis_members()) {
    std::vector<Layout::Members> longer;
    for (const auto& members : all) {
      for (std::size_t m = 0; m < count; ++m) {
        longer.push_back(members);
        longer.back().push_back(m);
      }
    }
    all = std::move(longer);
  }
  return all;
}

using PointAndPlace = std::pair<std::size_t, std::size_t>;

/// Returns the points of a process by asking the layout for every place.
std::vector<PointAndPlace> points_by_place(const Layout& layout, const Layout::Members& members) {
  std::vector<PointAndPlace> points;
  for (std::size_t place = 0; place < layout.local_count(members); ++place) {
    const std::size_t point = layout.point_at(members, place);
    if (point < layout.point_count()) points.emplace_back(point, place);
  }
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace

TEST(OwnPoints, are_the_points_of_the_layout_in_natural_order) {
  for (const Layout& layout : layouts()) {
    for (const auto& members : all_members(layout)) {
      const OwnPoints own(layout, members);
      std::vector<PointAndPlace> points;
      own.for_each([&](std::size_t point, std::size_t place) { points.emplace_back(point, place); });
      EXPECT_EQ(points, points_by_place(layout, members));
      EXPECT_EQ(own.count(), points.size());
      EXPECT_EQ(own.place_count(), layout.local_count(members));
    }
  }
}

TEST(OwnPoints, are_counted_below_every_point) {
  for (const Layout& layout : layouts()) {
    for (const auto& members : all_members(layout)) {
      const OwnPoints own(layout, members);
      const auto points = points_by_place(layout, members);
      for (std::size_t point = 0; point <= layout.point_count(); ++point) {
        const auto below = std::lower_bound(points.begin(), points.end(), PointAndPlace{point, 0});
        EXPECT_EQ(own.count_below(point), static_cast<std::size_t>(below - points.begin()));
      }
    }
  }
}

TEST(OwnPoints, of_a_part_of_the_numbers_are_those_points) {
  const Layout layout({{4, 30, Spread::cyclic, 1}, {5, 1}, {6, 5, Spread::block, 0}}, {4, 3});
  const OwnPoints own(layout, {1, 0});
  const auto points = points_by_place(layout, {1, 0});
  for (std::size_t first = 0; first <= points.size(); ++first) {
    for (std::size_t last = first; last <= points.size(); ++last) {
      std::vector<PointAndPlace> part;
      own.for_each_run(first, last, [&](const OwnPoints::Run& run) {
        for (std::size_t i = 0; i < run.length; ++i) {
          part.emplace_back(run.point + i * run.step, run.place + i * run.stride);
        }
      });
      EXPECT_TRUE(std::equal(part.begin(), part.end(), points.begin() + static_cast<std::ptrdiff_t>(first),
                             points.begin() + static_cast<std::ptrdiff_t>(last)));
    }
  }
}

/// Returns the index with the first axis fastest for an index with the last axis fastest.
std::size_t turned(std::size_t point, const std::vector<std::size_t>& shape) {
  std::size_t result = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    std::size_t weight = 1;
    for (std::size_t a = 0; a < axis; ++a) weight *= shape[a];
    result += point % shape[axis] * weight;
    point /= shape[axis];
  }
  return result;
}

TEST(FirstAxisFastest, counts_the_same_points_the_other_way_round) {
  const std::vector<std::vector<std::size_t>> shapes{{5, 3, 4}, {1, 6, 2}, {4, 1, 7}, {3, 5, 1}, {1, 1, 1}};
  for (const auto& shape : shapes) {
    for (const auto& dimensions : {std::vector<std::size_t>{0, 1}, {1, 2}, {2, 0}}) {
      const Layout layout = cubefold::fft::array_layout(shape, dimensions, {2, 3});
      const Layout other = cubefold::npy::first_axis_fastest(layout, shape);
      for (const auto& members : all_members(layout)) {
        ASSERT_EQ(other.local_count(members), layout.local_count(members));
        for (std::size_t place = 0; place < layout.local_count(members); ++place) {
          EXPECT_EQ(other.point_at(members, place), turned(layout.point_at(members, place), shape));
        }
      }
    }
  }
}

TEST(Owners, are_those_of_the_layout) {
  for (const Layout& layout : layouts()) {
    std::vector<int> ranks(all_members(layout).size());
    std::iota(ranks.rbegin(), ranks.rend(), 0);  // backwards, so that a number is not mistaken for a rank
    const Owners owners(layout, ranks);
    for (const std::size_t first : {std::size_t{0}, layout.point_count() / 3}) {
      std::size_t point = first;
      owners.for_each_run(first, layout.point_count(), [&](int rank, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i, ++point) {
          EXPECT_EQ(rank, ranks[Owners::number_of(layout, layout.owner(point))]);
        }
      });
      EXPECT_EQ(point, layout.point_count());
    }
  }
}
