// This test is compiled with the sources of the library, in which support/checked_copies.hpp checks every copy.

#include "transform/pointwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/whole_transform.hpp"

namespace cubefold::fft {
namespace {

/// Expects that a stage of `batch` arrays gives the same result in place as out of place.
void expect_same_in_place(const ChirpStage& stage, std::size_t member, std::size_t batch) {
  const Layout::Members members{member};
  const std::size_t before = stage.before.local_count(members) * batch;
  const std::size_t after = stage.after.local_count(members) * batch;
  const auto input = random_complex<double>(before, 3);
  const auto work = pointwise<double>(stage, members, batch);
  Array<std::complex<double>> output(after);
  work(input.data(), output.data());
  Array<std::complex<double>> in_place = input;
  in_place.resize(std::max(before, after));
  EXPECT_NO_THROW(work(in_place.data(), in_place.data()));
  in_place.resize(after);
  EXPECT_EQ(in_place, output) << stage.before.point_count() << " to " << stage.after.point_count();
}

TEST(Pointwise, chirps_are_the_same_in_place_where_arrays_grow_and_where_they_shrink) {
  for (const std::size_t length : {13U, 20U}) {
    const Layout points({{length, 1, Spread::cyclic}}, {3});
    const Layout padded({{2 * length + 1, 1, Spread::cyclic}}, {3});
    for (const std::size_t batch : {1U, 2U, 5U})
      for (std::size_t member = 0; member < 3; ++member) {
        expect_same_in_place({points, padded, length, Transform::forward}, member, batch);
        expect_same_in_place({padded, points, length, Transform::forward, 0.5}, member, batch);
      }
  }
}

}  // namespace
}  // namespace cubefold::fft
