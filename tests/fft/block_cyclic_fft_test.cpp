#include "cubefold/fft/block_cyclic_fft.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "support/message_of.hpp"
#include "support/reference_dft.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

using mpi::grids_of_world;
using mpi::ring_of_world;
using mpi::VirtualComm;
using mpi::world_size;

double limit(std::size_t point_count) {
  return 4 * std::numeric_limits<double>::epsilon() *
         std::sqrt(std::max(1.0, std::log2(static_cast<double>(point_count))));
}

Points part_of(const Points& whole, const BlockCyclic& points, Rank rank) {
  Points part(points.local_count());
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = whole[points.point_at(rank, i)];
  return part;
}

/// All processes' parts put together, on every process.
Points whole_of(const Points& part, const BlockCyclic& points, const VirtualComm& comm) {
  Points gathered(points.point_count());
  const int doubles = static_cast<int>(2 * part.size());
  MPI_Allgather(part.data(), doubles, MPI_DOUBLE, gathered.data(), doubles, MPI_DOUBLE, comm.virtual_comm());
  Points whole(gathered.size());
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    whole[points.point_at(Rank(i / part.size()), i % part.size())] = gathered[i];
  }
  return whole;
}

Points transformed(const Points& whole, Transform transform, const VirtualComm& comm) {
  BlockCyclicFft fft(comm, whole.size(), transform);
  const Points input = part_of(whole, fft.distribution(), comm.rank());
  Points output(input.size());
  fft.execute(input.data(), output.data());
  return whole_of(output, fft.distribution(), comm);
}

Points fftw_alone(const Points& whole, int sign) {
  Points result(whole);
  auto* data = reinterpret_cast<fftw_complex*>(result.data());
  fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(whole.size()), data, data, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return result;
}

std::size_t points_of(int block_bit_count) {
  return static_cast<std::size_t>(world_size()) << (2 * block_bit_count);
}

class BlockCyclicFftTest : public testing::TestWithParam<int> {
 protected:
  VirtualComm comm{MPI_COMM_WORLD, ring_of_world(), "xor"};
  std::size_t m = points_of(GetParam());
};

TEST_P(BlockCyclicFftTest, is_the_transform_by_definition) {
  if (m > 4096) GTEST_SKIP() << "the definition takes m^2 operations";
  const Points x = random_points(m, 1);
  EXPECT_LE(relative_error(transformed(x, Transform::forward, comm), dft_by_definition(x, -1)), limit(m));
}

TEST_P(BlockCyclicFftTest, is_what_fftw_gives_alone) {
  const Points x = random_points(m, 2);
  EXPECT_LE(relative_error(transformed(x, Transform::forward, comm), fftw_alone(x, FFTW_FORWARD)), limit(m));
}

TEST_P(BlockCyclicFftTest, inverse_divides_by_the_length) {
  const Points x = random_points(m, 3);
  Points expected = fftw_alone(x, FFTW_BACKWARD);
  for (auto& value : expected) value /= static_cast<double>(m);
  EXPECT_LE(relative_error(transformed(x, Transform::inverse, comm), expected), limit(m));
}

TEST_P(BlockCyclicFftTest, and_its_inverse_undo_each_other) {
  const Points x = random_points(m, 4);
  const Points there = transformed(x, Transform::forward, comm);
  EXPECT_LE(relative_error(transformed(there, Transform::inverse, comm), x), 2 * limit(m));
}

TEST_P(BlockCyclicFftTest, of_an_impulse_is_a_wave) {
  const std::size_t place = m / 2 + m / 4;
  Points impulse(m);
  impulse[place] = 1;
  const Points spectrum = transformed(impulse, Transform::forward, comm);
  for (std::size_t k = 0; k < m; ++k) {
    const double turns = static_cast<double>(place * k % m) / static_cast<double>(m);
    EXPECT_LE(std::abs(spectrum[k] - std::polar(1.0, -2 * std::numbers::pi * turns)), 1e-14);
  }
}

TEST_P(BlockCyclicFftTest, of_a_wave_is_an_impulse) {
  const std::size_t bin = (m - 1) * 5 / 7;
  Points wave(m);
  for (std::size_t j = 0; j < m; ++j) {
    wave[j] =
        std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(bin * j % m) / static_cast<double>(m));
  }
  const Points spectrum = transformed(wave, Transform::forward, comm);
  for (std::size_t k = 0; k < m; ++k) {
    EXPECT_NEAR(std::abs(spectrum[k]), k == bin ? static_cast<double>(m) : 0,
                1e-14 * static_cast<double>(m) * 10);
  }
}

TEST_P(BlockCyclicFftTest, is_linear) {
  const Points x = random_points(m, 5);
  const Points y = random_points(m, 6);
  const std::complex<double> a(2, -1);
  Points sum(m);
  for (std::size_t j = 0; j < m; ++j) sum[j] = x[j] + a * y[j];
  const Points fx = transformed(x, Transform::forward, comm);
  const Points fy = transformed(y, Transform::forward, comm);
  Points expected(m);
  for (std::size_t k = 0; k < m; ++k) expected[k] = fx[k] + a * fy[k];
  EXPECT_LE(relative_error(transformed(sum, Transform::forward, comm), expected), 2 * limit(m));
}

TEST_P(BlockCyclicFftTest, of_a_shifted_signal_is_turned) {
  const Points x = random_points(m, 7);
  const std::size_t shift = m / 2 + (m > 4 ? 3 : 0);
  Points shifted(m);
  for (std::size_t j = 0; j < m; ++j) shifted[(j + shift) % m] = x[j];
  const Points fx = transformed(x, Transform::forward, comm);
  Points expected(m);
  for (std::size_t k = 0; k < m; ++k) {
    expected[k] = fx[k] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(shift * k % m) /
                                              static_cast<double>(m));
  }
  EXPECT_LE(relative_error(transformed(shifted, Transform::forward, comm), expected), 2 * limit(m));
}

TEST_P(BlockCyclicFftTest, keeps_the_energy) {
  const auto energy = [](const Points& points) {
    return std::accumulate(points.begin(), points.end(), 0.0,
                           [](double sum, std::complex<double> value) { return sum + std::norm(value); });
  };
  const Points x = random_points(m, 8);
  const double expected = energy(x) * static_cast<double>(m);
  EXPECT_NEAR(energy(transformed(x, Transform::forward, comm)), expected, 1e-13 * expected);
}

TEST_P(BlockCyclicFftTest, gives_the_same_in_place_and_leaves_the_input_otherwise) {
  BlockCyclicFft fft(comm, m, Transform::forward);
  const Points x = part_of(random_points(m, 9), fft.distribution(), comm.rank());
  Points in_place = x;
  Points input = x;
  Points output(x.size());
  fft.execute(input.data(), output.data());
  fft.execute(in_place.data(), in_place.data());
  EXPECT_EQ(in_place, output);
  EXPECT_EQ(input, x);
}

TEST_P(BlockCyclicFftTest, takes_output_of_any_alignment) {
  BlockCyclicFft fft(comm, m, Transform::forward);
  const Points input = part_of(random_points(m, 10), fft.distribution(), comm.rank());
  Points aligned(input.size());
  std::vector<double> doubles(2 * input.size() + 1);
  auto* shifted = reinterpret_cast<std::complex<double>*>(doubles.data() + 1);
  fft.execute(input.data(), aligned.data());
  fft.execute(input.data(), shifted);
  EXPECT_EQ(Points(shifted, shifted + aligned.size()), aligned);
}

INSTANTIATE_TEST_SUITE_P(BlockBits, BlockCyclicFftTest, testing::Values(0, 1, 2, 3, 4, 6));

TEST(BlockCyclicFft, gives_the_same_under_every_placement) {
  const Points x = random_points(points_of(2), 11);
  const Points expected =
      transformed(x, Transform::forward, VirtualComm(MPI_COMM_WORLD, ring_of_world(), "identity"));
  for (const auto& grid : grids_of_world()) {
    for (const auto& rule : mpi::rules_of_world()) {
      EXPECT_EQ(transformed(x, Transform::forward, VirtualComm(MPI_COMM_WORLD, grid, rule)), expected);
    }
  }
}

TEST(BlockCyclicFft, refuses_lengths_that_do_not_fit_and_parts_above_2_gib) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  EXPECT_NE(message_of([&] { BlockCyclicFft(comm, 1000, Transform::forward); }), "nothing thrown");
  EXPECT_EQ(message_of([&] { BlockCyclicFft(comm, points_of(14), Transform::forward); }),
            "a message of 268435456 x 16 bytes is above the limit of 2147483647 bytes");
}

TEST(BlockCyclicFft, fails_on_all_processes_if_one_asks_for_something_else) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const bool odd_one = comm.rank() == Rank{1};
  const std::string who = "process 1 of " + std::to_string(world_size()) + ": transform ";
  const std::string usual = "'forward of " + std::to_string(points_of(3)) + " points'";
  EXPECT_EQ(message_of([&] { BlockCyclicFft(comm, points_of(odd_one ? 2 : 3), Transform::forward); }),
            who + "'forward of " + std::to_string(points_of(2)) + " points' differs from " + usual +
                " of process 0");
  const Transform transform = odd_one ? Transform::inverse : Transform::forward;
  EXPECT_EQ(message_of([&] { BlockCyclicFft(comm, points_of(3), transform); }),
            who + "'inverse of " + std::to_string(points_of(3)) + " points' differs from " + usual +
                " of process 0");
}

}  // namespace
}  // namespace cubefold::fft
