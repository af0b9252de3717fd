#include <algorithm>
#include <numbers>

#include "fft/whole_plan.hpp"

namespace cubefold::fft {
namespace {

TEST_F(PlanTest, is_the_transform_in_all_distributions) {
  for (const std::size_t n : {1U, 7U, 64U, 97U, 225U, 1155U, 4096U})
    for (const auto& [input, output] : some_pairs_of_distributions())
      expect_transform<double>(comm, {n}, line_options(input, output, both_ways[n % 2]));
}

TEST_F(PlanTest, is_the_transform_in_single_precision_and_for_many_lengths) {
  for (const std::size_t n : {2U, 16U, 30U, 144U, 3600U})
    for (const auto distribution : natural_or_scrambled)
      expect_transform<float>(comm, {n}, line_options(distribution, distribution, Transform::forward));
}

TEST_F(PlanTest, is_the_transform_of_batches) {
  for (const std::size_t n : {13U, 15U, 256U}) {
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
    input.resize(std::max(input.size(), output.size()));
    plan.execute(input.data(), input.data());
    input.resize(output.size());
    EXPECT_EQ(input, output) << "in place";
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

TEST_F(PlanTest, of_an_impulse_is_a_wave_and_of_a_shifted_signal_is_turned) {
  constexpr std::size_t n = 1155;
  Plan<double> plan(comm, {n});
  Array<std::complex<double>> impulse(n);
  impulse[n - 2] = 1;
  const auto wave = transformed(plan, comm, impulse);
  const auto x = random_complex<double>(n, 6);
  Array<std::complex<double>> shifted(n);
  for (std::size_t j = 0; j < n; ++j) shifted[(j + n - 2) % n] = x[j];
  const auto spectrum = transformed(plan, comm, x);
  const auto turned = transformed(plan, comm, shifted);
  LongPoints expected(n);
  LongPoints expected_wave(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double turns = static_cast<long double>((n - 2) * k % n) / n;
    expected_wave[k] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
    expected[k] = expected_wave[k] * std::complex<long double>(spectrum[k]);
  }
  EXPECT_LE(error_of(wave, expected_wave), error_limit<double>(n));
  EXPECT_LE(error_of(turned, expected), 2 * error_limit<double>(n));
}

TEST_F(PlanTest, is_linear_and_keeps_the_energy) {
  constexpr std::size_t n = 3600;
  Plan<double> plan(comm, {n}, line_options(Distribution::cyclic, Distribution::block, Transform::forward));
  const auto x = random_complex<double>(n, 7);
  const auto y = random_complex<double>(n, 8);
  Array<std::complex<double>> sum(n);
  for (std::size_t j = 0; j < n; ++j) sum[j] = x[j] + std::complex<double>(2, -1) * y[j];
  const auto fx = transformed(plan, comm, x);
  const auto fy = transformed(plan, comm, y);
  LongPoints expected(n);
  long double energy = 0;
  long double spectral_energy = 0;
  for (std::size_t k = 0; k < n; ++k) {
    expected[k] = std::complex<long double>(fx[k]) +
                  std::complex<long double>(2, -1) * std::complex<long double>(fy[k]);
    energy += std::norm(std::complex<long double>(x[k]));
    spectral_energy += std::norm(std::complex<long double>(fx[k])) / n;
  }
  EXPECT_LE(error_of(transformed(plan, comm, sum), expected), 2 * error_limit<double>(n));
  EXPECT_NEAR(static_cast<double>(spectral_energy / energy), 1, 1e-14);
}

}  // namespace
}  // namespace cubefold::fft
