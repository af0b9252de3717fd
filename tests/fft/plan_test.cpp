#include "cubefold/fft/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "cubefold/fft/wisdom.hpp"
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

/// A variable of process 0 alone, which is the one that counts.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (mpi::world_rank() == 0) setenv(name_, value.c_str(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (mpi::world_rank() == 0) unsetenv(name_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const char* name_;
};

/// This process's output under a wish for a method.
Array<std::complex<double>> output_by(const std::string& method, const VirtualComm& comm,
                                      const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  const Variable wish("CUBEFOLD_ALLTOALL", method);
  Plan<double> plan(comm, lengths, options);
  std::size_t n = 1;
  for (const std::size_t length : lengths) n *= length;
  const auto input = part_of(random_complex<double>(n, 5), plan.input(), plan.members());
  Array<std::complex<double>> output(plan.output_count());
  plan.execute(input.data(), output.data());
  return output;
}

TEST_F(PlanTest, is_bitwise_the_same_by_every_exchange) {
  // FFTW computes rows of 64 points otherwise alone than beside others; the largest array goes through caches in slabs.
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{
           {225}, {16384}, {97}, {12, 10, 9}, {9, 64, 7}, {64, 64, 130}, {16, 24, 256}}) {
    const auto expected = output_by("mpi", comm, lengths, {});
    for (const std::string method : {"direct", "linear", "bruck:2", "shifted"})
      EXPECT_EQ(output_by(method, comm, lengths, {}), expected) << method << " " << lengths[0];
  }
}

TEST_F(PlanTest, works_while_messages_travel) {
  if (world_size() == 1) GTEST_SKIP() << "one process sends nothing";
  if (16384 % (world_size() * world_size()) != 0)
    GTEST_SKIP() << "Bluestein's arrays take turns: what arrives lies where there is still something to read";
  const Variable wish("CUBEFOLD_ALLTOALL", "direct");
  Plan<double> plan(comm, {16384},
                    line_options(Distribution::cyclic, Distribution::cyclic, Transform::forward));
  Array<std::complex<double>> points(plan.input_count(), 1);
  Array<std::complex<double>> output(plan.output_count());
  plan.execute(points.data(), output.data());
  const PhaseTimes times = plan.times();
  EXPECT_GT(times.overlap_seconds, 0);
  EXPECT_GE(times.exchange_seconds, times.overlap_seconds);
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

TEST_F(PlanTest, keeps_wisdom_in_a_file) {
  const std::string file = fmt::format("wisdom-of-{}-processes.txt", world_size());
  export_wisdom(comm, file);
  EXPECT_NO_THROW(import_wisdom(comm, file));
  EXPECT_EQ(message_of([&] { export_wisdom(comm, "no/such/folder/wisdom"); }),
            "export_wisdom: no/such/folder/wisdom cannot be written");
  EXPECT_EQ(message_of([&] { import_wisdom(comm, "no-such-wisdom"); }),
            "import_wisdom: no-such-wisdom cannot be read");
  if (comm.rank() == Rank{0}) std::remove(file.c_str());
}

TEST_F(PlanTest, gives_boxes_that_cover_the_array) {
  PlanOptions options;
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{{4096}, {97}, {12, 10, 9}, {2, 3}}) {
    Plan<double> plan(comm, lengths, options);
    const LocalBox box = plan.input_box();
    unsigned long long mine = 1;
    for (const std::size_t extent : box.extents) mine *= extent;
    EXPECT_LE(mine, plan.input_count());
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(mine, plan.input().point_count());
    ASSERT_EQ(box.extents.size(), lengths.size());
    if (plan.input_count() == 0) continue;
    std::size_t first = 0;
    for (std::size_t d = 0; d < lengths.size(); ++d) first = first * lengths[d] + box.offsets[d];
    EXPECT_EQ(first, plan.input().point_at(plan.members(), 0));
  }
}

TEST_F(PlanTest, takes_a_workspace_of_the_callers) {
  Plan<double> plan(comm, {1155});
  std::vector<std::complex<double>> workspace(plan.workspace_bytes() / sizeof(std::complex<double>) + 1);
  plan.use_workspace(workspace.data());
  const auto x = random_complex<double>(1155, 3);
  EXPECT_LE(error_of(transformed(plan, comm, x), long_dft(widened(x), -1)), error_limit<double>(1155));
}

TEST_F(PlanTest, needs_no_more_than_a_work_array_where_processes_divide_the_factors) {
  const auto p = static_cast<std::size_t>(world_size());
  if (16384 % (p * p) != 0) GTEST_SKIP() << "needs a power of two";
  for (const auto distribution : natural_or_scrambled) {
    Plan<double> plan(comm, {16384}, line_options(Distribution::block, distribution, Transform::forward));
    EXPECT_LE(plan.workspace_bytes(), plan.input_count() * sizeof(std::complex<double>));
  }
}

TEST_F(PlanTest, refuses_what_does_not_go_together_on_all_processes) {
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  EXPECT_EQ(refusal({}, {}), "fft::Plan: no lengths");
  EXPECT_EQ(refusal({4, 0}, {}), "fft::Plan: length 0 in 4x0");
  EXPECT_EQ(refusal({std::size_t{1} << 40, std::size_t{1} << 40}, {}),
            "fft::Plan: 1099511627776x1099511627776 is more than 2^62 points");
  PlanOptions options;
  options.batch = 0;
  EXPECT_EQ(refusal({4}, options), "fft::Plan: batch 0 is no array");
  EXPECT_EQ(refusal({4, 4}, line_options(Distribution::cyclic, Distribution::block, Transform::forward)),
            "fft::Plan: arrays of more than one dimension are spread in blocks, not cyclic");
}

TEST_F(PlanTest, refuses_the_wrong_kind_of_points) {
  Plan<double> plan(comm, {16});
  std::vector<double> reals(64);
  std::vector<std::complex<double>> points(64);
  EXPECT_EQ(message_of([&] { plan.execute(reals.data(), points.data()); }),
            "execute: from real points to complex ones, but the plan goes from complex to complex");
}

TEST_F(PlanTest, fails_on_all_processes_if_one_asks_for_something_else) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const bool odd_one = comm.rank() == Rank{1};
  const auto message = message_of([&] { Plan<double>(comm, {odd_one ? 32U : 64U}, {}); });
  EXPECT_NE(message.find("process 1 of"), std::string::npos) << message;
  const auto other = message_of([&] {
    if (odd_one) {
      Plan<float>(comm, {64}, {});
    } else {
      Plan<double>(comm, {64}, {});
    }
  });
  EXPECT_NE(other.find("single precision"), std::string::npos) << other;
}

TEST_F(PlanTest, explains_itself) {
  Plan<double> plan(comm, {16384});
  const std::string text = plan.explain();
  EXPECT_NE(text.find("16384 points, complex forward, block to block"), std::string::npos) << text;
  if (world_size() > 1) {
    EXPECT_NE(text.find("exchange"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace cubefold::fft
