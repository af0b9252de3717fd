#include "fft/whole_plan.hpp"

#include <algorithm>

namespace cubefold::fft {
namespace {

/// Expects the same results of both transforms in place, in one array that is large enough for either end.
template <typename Real>
void expect_in_place(Plan<Real>& there, Plan<Real>& back, const Array<Real>& input,
                     const Array<std::complex<Real>>& half, const Array<Real>& result,
                     const VirtualComm& comm) {
  using Complex = std::complex<Real>;
  Array<Complex> array(std::max(input.size() / 2 + 1, there.output_count() + 1));
  Real* reals = reinterpret_cast<Real*>(array.data());
  std::copy(input.begin(), input.end(), reals);
  there.execute(reals, array.data());
  const auto limit = error_limit<Real>(result.size());
  const auto spectrum = whole_of(array, there.output(), there.members(), comm.virtual_comm());
  EXPECT_LE(error_of(spectrum, widened(half)), limit) << "in place";
  back.execute(array.data(), reals);
  const Array<Real> points(reals, reals + back.output_count());
  const auto there_and_back = whole_of(points, back.output(), back.members(), comm.virtual_comm());
  EXPECT_LE(error_of(there_and_back, LongPoints(result.begin(), result.end())), 2 * limit) << "back in place";
}

/// Expects that real points become the half spectrum of the definition, and that the inverse transform of the half
/// spectrum gives the points again.
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
  expect_in_place(there, back, input, half,
                  whole_of(result, back.output(), back.members(), comm.virtual_comm()), comm);
  EXPECT_LE(error_of(whole_of(result, back.output(), back.members(), comm.virtual_comm()),
                     LongPoints(x.begin(), x.end())),
            2 * error_limit<Real>(n));
}

TEST_F(PlanTest, is_the_transform_of_real_points) {
  for (const std::size_t n : {1U, 2U, 9U, 97U, 128U, 1155U, 4096U})
    for (const auto& [input, output] : some_pairs_of_distributions())
      if (input != Distribution::scrambled)
        expect_real_transform<double>(comm, {n}, line_options(input, output, Transform::forward));
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
