#include <fftw3.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "support/whole_transform.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

using Complex = std::complex<double>;
using Points = Array<Complex>;

using mpi::VirtualComm;
using mpi::world_size;

Points serial_fftw(Points points) {
  auto* data = reinterpret_cast<fftw_complex*>(points.data());
  const fftw_plan plan =
      fftw_plan_dft_1d(static_cast<int>(points.size()), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return points;
}

/// Tests properties of the transform in every distribution that the number of processes allows.
class PlanProperties : public testing::TestWithParam<Distribution> {
 protected:
  void SetUp() override {
    if (GetParam() == Distribution::block_cyclic && !mpi::world_is_a_cube())
      GTEST_SKIP() << "block_cyclic deals points by bits";
  }

  /// Returns p^3 4^3 points, which suit every distribution. For p = 2^n they are 2^(n+2s) points with s = n + 3.
  static std::size_t point_count() {
    const auto p = static_cast<std::size_t>(world_size());
    return p * p * p * 64;
  }

  static Plan<double> plan_on(const VirtualComm& comm) {
    PlanOptions options;
    options.algorithm = Algorithm::transposed;
    options.input = GetParam() == Distribution::scrambled ? Distribution::block : GetParam();
    options.output = GetParam();
    return {comm, {point_count()}, options};
  }

  static Points transformed(const Points& whole, const VirtualComm& comm) {
    auto plan = plan_on(comm);
    const Points input = part_of(whole, plan.input(), plan.members());
    Points output(plan.output_count());
    plan.execute(input.data(), output.data());
    return whole_of(output, plan.output(), plan.members(), comm.virtual_comm());
  }

  VirtualComm comm{MPI_COMM_WORLD, mpi::grids_of_world().back(), "identity"};
};

TEST_P(PlanProperties, has_an_error_near_that_of_serial_fftw_and_below_the_limit) {
  const std::size_t n = point_count();
  const Points x = random_complex<double>(n, 9);  // real and imaginary parts are in [-0.5, 0.5)
  const LongPoints expected = long_dft(widened(x), {n}, -1);
  const double ours = error_of(transformed(x, comm), expected);
  const double serial = error_of(serial_fftw(x), expected);
  if (mpi::world_rank() == 0)
    fmt::print("{} points, relative L2 errors: ours {:.2e}, serial FFTW's {:.2e}, limit {:.2e}\n", n, ours,
               serial, error_limit<double>(n));
  EXPECT_LE(ours, error_limit<double>(n));
  EXPECT_LE(ours, 4 * serial);
}

TEST_P(PlanProperties, of_a_wave_is_an_impulse) {
  const std::size_t n = point_count();
  const std::size_t frequency = n / 3;
  Points wave(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto turns = static_cast<double>(j * frequency % n) / static_cast<double>(n);
    wave[j] = std::polar(1.0, 2 * std::numbers::pi * turns);
  }
  LongPoints impulse(n);
  impulse[frequency] = static_cast<long double>(n);
  // The rounding errors of the wave add to the error of the transform.
  EXPECT_LE(error_of(transformed(wave, comm), impulse),
            error_limit<double>(n) + std::numeric_limits<double>::epsilon());
}

TEST_P(PlanProperties, of_a_turned_signal_is_shifted) {
  const std::size_t n = point_count();
  const std::size_t shift = n / 3 + 1;
  const Points x = random_complex<double>(n, 12);
  Points turned(n);
  for (std::size_t j = 0; j < n; ++j) {
    const long double turns = static_cast<long double>(j * shift % n) / static_cast<long double>(n);
    turned[j] = Complex(std::complex<long double>(x[j]) *
                        std::polar(1.0L, 2 * std::numbers::pi_v<long double> * turns));
  }
  const Points spectrum = transformed(x, comm);
  LongPoints expected(n);
  for (std::size_t k = 0; k < n; ++k) expected[(k + shift) % n] = spectrum[k];
  EXPECT_LE(error_of(transformed(turned, comm), expected), 2 * error_limit<double>(n));
}

TEST_P(PlanProperties, of_real_numbers_is_conjugate_symmetric) {
  const std::size_t n = point_count();
  const auto reals = random_reals<double>(n, 13);
  const Points spectrum = transformed(Points(reals.begin(), reals.end()), comm);
  LongPoints mirrored(n);
  for (std::size_t k = 0; k < n; ++k) mirrored[(n - k) % n] = std::conj(spectrum[k]);
  EXPECT_LE(error_of(spectrum, mirrored), 2 * error_limit<double>(n));
}

TEST_P(PlanProperties, takes_arrays_of_any_alignment) {
  auto plan = plan_on(comm);
  const Points input = part_of(random_complex<double>(point_count(), 10), plan.input(), plan.members());
  Points expected(plan.output_count());
  plan.execute(input.data(), expected.data());

  std::vector<double> from(2 * input.size() + 1);
  std::vector<double> to(2 * expected.size() + 1);
  auto* odd_input = reinterpret_cast<Complex*>(from.data() + 1);
  auto* odd_output = reinterpret_cast<Complex*>(to.data() + 1);
  std::copy(input.begin(), input.end(), odd_input);
  plan.execute(odd_input, odd_output);
  EXPECT_TRUE(is_nearly(Points(odd_output, odd_output + expected.size()), expected));
}

TEST_P(PlanProperties, gives_the_same_bits_whatever_the_placement) {
  const Points x = random_complex<double>(point_count(), 11);
  const Points expected = transformed(x, comm);
  const auto rules = mpi::rules_of_world();
  for (const auto& rule : {rules[rules.size() / 2], rules.back()}) {
    EXPECT_EQ(transformed(x, VirtualComm(MPI_COMM_WORLD, mpi::grids_of_world()[1], rule)), expected) << rule;
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, PlanProperties,
                         testing::Values(Distribution::block, Distribution::cyclic,
                                         Distribution::block_cyclic, Distribution::scrambled),
                         [](const auto& of) { return std::string(to_string(of.param)); });

}  // namespace
}  // namespace cubefold::fft
