#include <cmath>

#include "fft/whole_plan.hpp"

namespace cubefold::fft {
namespace {

constexpr Scaling scalings[] = {Scaling::none, Scaling::by_count, Scaling::by_root};

long double factor_of(Scaling scaling, std::size_t n) {
  switch (scaling) {
    case Scaling::none:
      return 1;
    case Scaling::by_count:
      return 1 / static_cast<long double>(n);
    case Scaling::by_root:
      break;
  }
  return 1 / std::sqrt(static_cast<long double>(n));
}

void expect_scaled(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options,
                   Scaling scaling) {
  options.forward_scaling = options.transform == Transform::forward ? scaling : Scaling::by_root;
  options.inverse_scaling = options.transform == Transform::inverse ? scaling : Scaling::by_root;
  SCOPED_TRACE(to_string(options));
  const std::size_t n = product(lengths);
  Plan<double> plan(comm, lengths, options);
  const auto x = random_complex<double>(n, static_cast<unsigned>(n));
  auto expected = long_dft(widened(x), lengths, sign_of(options.transform));
  for (auto& value : expected) value *= factor_of(scaling, n);
  EXPECT_LE(error_of(transformed(plan, comm, x), expected), error_limit<double>(n));
}

TEST_F(PlanTest, multiplies_by_the_factor_of_its_direction) {
  for (const Scaling scaling : scalings) {
    for (const Transform transform : both_ways) {
      for (const auto& [input, output] : some_pairs_of_distributions())
        for (const std::size_t n : {97U, 256U, 300U})
          expect_scaled(comm, {n}, line_options(input, output, transform), scaling);
      for (const bool transposed : {false, true})
        expect_scaled(comm, {6, 5, 4}, {.transform = transform, .transposed_output = transposed}, scaling);
    }
  }
}

TEST_F(PlanTest, multiplies_butterflies_by_the_factor_of_their_direction) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies need 2^n processes";
  PlanOptions options = line_options(Distribution::cyclic, Distribution::cyclic, Transform::inverse);
  options.algorithm = Algorithm::half_exchange;
  for (const Scaling scaling : scalings) expect_scaled(comm, {4096}, options, scaling);
}

/// Transforms real numbers there and back. The factors of both directions together are 1.
void expect_return(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options,
                   Scaling there, Scaling back) {
  options.kind = Kind::real;
  options.forward_scaling = there;
  options.inverse_scaling = back;
  SCOPED_TRACE(to_string(options));
  const std::size_t n = product(lengths);
  Plan<double> forward(comm, lengths, options);
  options.transform = Transform::inverse;
  std::swap(options.input, options.output);
  Plan<double> inverse(comm, lengths, options);
  const auto x = random_reals<double>(n, 3);
  const auto part = part_of(x, forward.input(), forward.members());
  Array<std::complex<double>> spectrum(forward.output_count());
  Array<double> again(inverse.output_count());
  forward.execute(part.data(), spectrum.data());
  inverse.execute(spectrum.data(), again.data());
  long double energy = 0;
  long double wrong = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    energy += part[i] * part[i];
    wrong += (again[i] - part[i]) * (again[i] - part[i]);
  }
  EXPECT_LE(std::sqrt(wrong), error_limit<double>(n) * std::sqrt(energy) * 2);
}

TEST_F(PlanTest, brings_real_numbers_back_with_any_scaling_of_the_two_directions) {
  for (const auto& [there, back] :
       {std::pair(Scaling::none, Scaling::by_count), std::pair(Scaling::by_root, Scaling::by_root),
        std::pair(Scaling::by_count, Scaling::none)}) {
    for (const std::size_t n : {45U, 97U, 240U}) {
      expect_return(comm, {n}, {}, there, back);
      expect_return(comm, {n}, line_options(Distribution::block, Distribution::scrambled, {}), there, back);
    }
    expect_return(comm, {5, 6, 8}, {}, there, back);
  }
}

}  // namespace
}  // namespace cubefold::fft
