#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "support/sweep.hpp"
#include "support/whole_transform.hpp"
#include "support/world.hpp"

namespace cubefold::fft {

using mpi::VirtualComm;
using mpi::world_size;

inline int sign_of(Transform transform) {
  return transform == Transform::forward ? -1 : 1;
}

inline std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t n = 1;
  for (const std::size_t length : lengths) n *= length;
  return n;
}

/// Returns the transform of a whole array by a plan, gathered on all processes. Expects the same result out of place
/// and in place, up to rounding. All processes must call this.
template <typename Real>
Array<std::complex<Real>> transformed(Plan<Real>& plan, const VirtualComm& comm,
                                      const Array<std::complex<Real>>& whole) {
  using Complex = std::complex<Real>;
  const auto input = part_of(whole, plan.input(), plan.members());
  auto kept = input;
  Array<Complex> output(plan.output_count());
  plan.execute(kept.data(), output.data());
  EXPECT_EQ(kept, input) << "the input was written to";
  Array<Complex> in_place = input;
  in_place.resize(std::max(plan.input_count(), plan.output_count()));
  plan.execute(in_place.data(), in_place.data());
  const auto result = whole_of(output, plan.output(), plan.members(), comm.virtual_comm());
  const auto other = whole_of(in_place, plan.output(), plan.members(), comm.virtual_comm());
  EXPECT_LE(error_of(other, widened(result)), error_limit<Real>(result.size())) << "in place";
  return result;
}

template <typename Real>
void expect_transform(const VirtualComm& comm, const std::vector<std::size_t>& lengths,
                      const PlanOptions& options) {
  SCOPED_TRACE(fmt::format("{} points: {}", lengths[0], to_string(options)));
  const std::size_t n = product(lengths);
  Plan<Real> plan(comm, lengths, options);
  const auto x = random_complex<Real>(n, static_cast<unsigned>(n));
  auto expected = long_dft(widened(x), lengths, sign_of(options.transform));
  if (options.transform == Transform::inverse)
    for (auto& value : expected) value /= static_cast<long double>(n);
  EXPECT_LE(error_of(transformed(plan, comm, x), expected), error_limit<Real>(n));
}

class PlanTest : public testing::Test {
 protected:
  VirtualComm comm{MPI_COMM_WORLD, mpi::grids_of_world().back(), "identity"};
};

inline constexpr Distribution natural_or_scrambled[] = {Distribution::block, Distribution::cyclic,
                                                        Distribution::scrambled};
inline constexpr Transform both_ways[] = {Transform::forward, Transform::inverse};

/// Returns every second pair of distributions of input and output, or all pairs where sweeps run every case.
inline std::vector<std::pair<Distribution, Distribution>> some_pairs_of_distributions() {
  std::vector<std::pair<Distribution, Distribution>> pairs;
  for (const auto input : natural_or_scrambled)
    for (const auto output : natural_or_scrambled) pairs.emplace_back(input, output);
  return some_of(std::move(pairs), 2);
}

inline PlanOptions line_options(Distribution input, Distribution output, Transform transform) {
  PlanOptions options;
  options.transform = transform;
  options.input = input;
  options.output = output;
  return options;
}

}  // namespace cubefold::fft
