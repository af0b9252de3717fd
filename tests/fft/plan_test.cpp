#include "cubefold/fft/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/whole_transform.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

using mpi::VirtualComm;
using mpi::world_size;

int sign_of(Transform transform) {
  return transform == Transform::forward ? -1 : 1;
}

/// What a plan makes of a whole array, gathered; out of place and in place have to agree.
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
  EXPECT_EQ(whole_of(in_place, plan.output(), plan.members(), comm.virtual_comm()), result) << "in place";
  return result;
}

template <typename Real>
void expect_transform(const VirtualComm& comm, const std::vector<std::size_t>& lengths,
                      const PlanOptions& options) {
  SCOPED_TRACE(fmt::format("{} points: {}", lengths[0], to_string(options)));
  std::size_t n = 1;
  for (const std::size_t length : lengths) n *= length;
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

constexpr Distribution natural_or_scrambled[] = {Distribution::block, Distribution::cyclic,
                                                 Distribution::scrambled};
constexpr Transform both_ways[] = {Transform::forward, Transform::inverse};

PlanOptions line_options(Distribution input, Distribution output, Transform transform) {
  PlanOptions options;
  options.transform = transform;
  options.input = input;
  options.output = output;
  return options;
}

TEST_F(PlanTest, is_the_transform_in_all_distributions) {
  for (const std::size_t n : {1U, 7U, 64U, 97U, 225U, 1155U, 4096U})
    for (const auto input : natural_or_scrambled)
      for (const auto output : natural_or_scrambled)
        expect_transform<double>(comm, {n}, line_options(input, output, both_ways[n % 2]));
}

TEST_F(PlanTest, is_the_transform_in_single_precision_and_for_many_lengths) {
  for (const std::size_t n : {2U, 16U, 30U, 144U, 3600U})
    for (const auto distribution : natural_or_scrambled)
      expect_transform<float>(comm, {n}, line_options(distribution, distribution, Transform::forward));
}

TEST_F(PlanTest, is_the_transform_of_batches) {
  for (const std::size_t n : {15U, 256U}) {
    PlanOptions options = line_options(Distribution::block, Distribution::cyclic, Transform::forward);
    options.batch = 3;
    Plan<double> plan(comm, {n}, options);
    std::vector<Array<std::complex<double>>> arrays;
    Array<std::complex<double>> input;
    for (unsigned b = 0; b < 3; ++b) {
      arrays.push_back(random_complex<double>(n, b));
      const auto part = part_of(arrays.back(), plan.input(), plan.members());
      input.insert(input.end(), part.begin(), part.end());
    }
    Array<std::complex<double>> output(plan.output_count());
    plan.execute(input.data(), output.data());
    const std::size_t count = output.size() / 3;
    for (std::size_t b = 0; b < 3; ++b) {
      const auto first = output.begin() + static_cast<std::ptrdiff_t>(b * count);
      const Array<std::complex<double>> part(first, first + static_cast<std::ptrdiff_t>(count));
      EXPECT_LE(error_of(whole_of(part, plan.output(), plan.members(), comm.virtual_comm()),
                         long_dft(widened(arrays[b]), -1)),
                error_limit<double>(n));
    }
  }
}

TEST_F(PlanTest, is_the_transform_of_arrays) {
  for (const bool transposed : {false, true})
    for (const auto transform : both_ways)
      for (const auto& lengths :
           std::vector<std::vector<std::size_t>>{{8, 12}, {3, 5}, {16, 8, 4}, {5, 6, 7}, {1, 9, 2}}) {
        PlanOptions options;
        options.transform = transform;
        options.transposed_output = transposed;
        expect_transform<double>(comm, lengths, options);
      }
}

/// Real points to half of their spectrum, and back to n times as much, over all of the options.
template <typename Real>
void expect_real_transform(const VirtualComm& comm, const std::vector<std::size_t>& lengths,
                           PlanOptions options) {
  using Complex = std::complex<Real>;
  SCOPED_TRACE(fmt::format("{} points: {}", lengths[0], to_string(options)));
  std::size_t n = 1;
  for (const std::size_t length : lengths) n *= length;
  options.kind = Kind::real;
  Plan<Real> there(comm, lengths, options);
  const auto x = random_reals<Real>(n, static_cast<unsigned>(n));
  const auto input = part_of(x, there.input(), there.members());
  auto kept = input;
  kept.push_back(0);
  Array<Complex> output(there.output_count() + 1);
  there.execute(kept.data(), output.data());
  const auto half = whole_of(output, there.output(), there.members(), comm.virtual_comm());
  const auto spectrum = long_dft(LongPoints(x.begin(), x.end()), lengths, -1);
  LongPoints expected;
  const std::size_t last = lengths.back();
  for (std::size_t k = 0; k < n; ++k)
    if (k % last <= last / 2) expected.push_back(spectrum[k]);
  ASSERT_EQ(half.size(), expected.size());
  EXPECT_LE(error_of(half, expected), error_limit<Real>(n));

  std::swap(options.input, options.output);
  options.transform = Transform::inverse;
  Plan<Real> back(comm, lengths, options);
  Array<Real> result(back.output_count() + 1);
  back.execute(output.data(), result.data());
  EXPECT_LE(error_of(whole_of(result, back.output(), back.members(), comm.virtual_comm()),
                     LongPoints(x.begin(), x.end())),
            2 * error_limit<Real>(n));
}

TEST_F(PlanTest, is_the_transform_of_real_points) {
  for (const std::size_t n : {1U, 2U, 9U, 97U, 128U, 1155U, 4096U})
    for (const auto input : natural_or_scrambled)
      for (const auto output : natural_or_scrambled) {
        if (input == Distribution::scrambled) continue;
        expect_real_transform<double>(comm, {n}, line_options(input, output, Transform::forward));
      }
  expect_real_transform<float>(comm, {360}, {});
}

TEST_F(PlanTest, is_the_transform_of_real_arrays) {
  for (const auto& lengths :
       std::vector<std::vector<std::size_t>>{{8, 12}, {3, 5}, {16, 8, 4}, {5, 6, 7}, {4, 3, 1}}) {
    PlanOptions options;
    expect_real_transform<double>(comm, lengths, options);
    options.transposed_output = true;
    expect_real_transform<double>(comm, lengths, options);
  }
}

}  // namespace
}  // namespace cubefold::fft
