#include <fftw3.h>

#include <algorithm>

#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

using Lines = std::vector<LineTransform>;

constexpr LineTransform all_kinds[] = {LineTransform::redft00, LineTransform::redft01, LineTransform::redft10,
                                       LineTransform::redft11, LineTransform::rodft00, LineTransform::rodft01,
                                       LineTransform::rodft10, LineTransform::rodft11};

fftw_r2r_kind fftw_kind(LineTransform line) {
  constexpr fftw_r2r_kind kinds[] = {FFTW_R2HC,    FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11,
                                     FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11};
  return kinds[static_cast<std::size_t>(line)];
}

/// Returns the transform of the whole array by FFTW on this process.
Array<double> serial_fftw(Array<double> x, const std::vector<std::size_t>& lengths, const Lines& lines) {
  const std::vector<int> n(lengths.begin(), lengths.end());
  std::vector<fftw_r2r_kind> kinds;
  for (const LineTransform line : lines) kinds.push_back(fftw_kind(line));
  const fftw_plan plan =
      fftw_plan_r2r(static_cast<int>(n.size()), n.data(), x.data(), x.data(), kinds.data(), FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return x;
}

/// Expects the result of FFTW in double precision between real arrays, out of place and in place, and the input after
/// the way back.
template <typename Real>
void expect_real(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options) {
  options.kind = Kind::real;
  options.both_directions = true;
  SCOPED_TRACE(fmt::format("{} first points: {}", lengths[0], to_string(options)));
  const std::size_t n = product(lengths);
  const auto x = random_reals<Real>(n, 4);
  const auto expected = serial_fftw({x.begin(), x.end()}, lengths, options.line_transforms);
  Plan<Real> plan(comm, lengths, options);
  const auto part = part_of(x, plan.input(), plan.members());
  Array<Real> output(plan.output_count());
  plan.execute(Transform::forward, part.data(), output.data());
  EXPECT_LE(error_of(whole_of(output, plan.output(), plan.members(), comm.virtual_comm()), widened(expected)),
            error_limit<Real>(scaled_count(lengths, options)));
  Array<Real> again(std::max(plan.input_count(), plan.output_count()));
  std::copy(output.begin(), output.end(), again.begin());
  plan.execute(Transform::inverse, again.data(), again.data());
  again.resize(plan.input_count());
  EXPECT_LE(error_of(whole_of(again, plan.input(), plan.members(), comm.virtual_comm()), widened(x)),
            2 * error_limit<Real>(scaled_count(lengths, options)));
}

TEST_F(PlanTest, computes_sines_and_cosines_of_all_kinds_as_fftw_does) {
  for (const LineTransform first : all_kinds) {
    const LineTransform last = all_kinds[(static_cast<std::size_t>(first) + 2) % 8];
    for (const bool transposed : {false, true}) {
      expect_real<double>(comm, {6, 8}, {.transposed_output = transposed, .line_transforms = {first, last}});
      expect_real<double>(comm, {5, 4, 7},
                          {.transposed_output = transposed, .line_transforms = {last, first, first}});
      expect_real<float>(comm, {5, 4, 6},
                         {.transposed_output = transposed, .line_transforms = {first, first, last}});
    }
    expect_real<double>(comm, {12, 1}, {.line_transforms = {first, LineTransform::redft10}});
  }
}

/// Expects complex points to be transformed as their parts, with Fourier transforms in the other dimensions.
TEST_F(PlanTest, mixes_cosines_with_fourier_transforms_by_dimension) {
  const std::vector<std::size_t> lengths{6, 5, 8};
  const std::size_t n = product(lengths);
  for (const bool interleaved : {false, true}) {
    PlanOptions options{
        .batch = 1,
        .line_transforms = {LineTransform::redft10, LineTransform::fourier, LineTransform::rodft00}};
    options.interleaved_batch = interleaved;
    const auto x = random_complex<double>(n, 7);
    // Cosines and sines along the dimensions 0 and 2 of each plane, part by part, then the Fourier transform along 1.
    LongPoints expected(n);
    for (std::size_t plane = 0; plane < 5; ++plane) {
      Array<double> parts[2] = {Array<double>(48), Array<double>(48)};
      for (std::size_t i = 0; i < 48; ++i) {
        const auto value = x[i / 8 * 40 + plane * 8 + i % 8];
        parts[0][i] = value.real();
        parts[1][i] = value.imag();
      }
      for (auto& part : parts)
        part = serial_fftw(part, {6, 8}, {LineTransform::redft10, LineTransform::rodft00});
      for (std::size_t i = 0; i < 48; ++i)
        expected[i / 8 * 40 + plane * 8 + i % 8] = {parts[0][i], parts[1][i]};
    }
    for (std::size_t i = 0; i < 48; ++i) {
      LongPoints row(5);
      for (std::size_t j = 0; j < 5; ++j) row[j] = expected[i / 8 * 40 + j * 8 + i % 8];
      row = long_dft(row, -1);
      for (std::size_t j = 0; j < 5; ++j) expected[i / 8 * 40 + j * 8 + i % 8] = row[j];
    }
    Plan<double> plan(comm, lengths, options);
    EXPECT_LE(error_of(transformed(plan, comm, x), expected), 2 * error_limit<double>(n));
  }
  PlanOptions real{
      .kind = Kind::real,
      .both_directions = true,
      .line_transforms = {LineTransform::redft01, LineTransform::redft11, LineTransform::fourier}};
  Plan<double> plan(comm, lengths, real);
  const auto x = random_reals<double>(n, 8);
  const auto part = part_of(x, plan.input(), plan.members());
  Array<std::complex<double>> spectrum(plan.output_count());
  Array<double> again(plan.input_count());
  plan.execute(Transform::forward, part.data(), spectrum.data());
  plan.execute(Transform::inverse, spectrum.data(), again.data());
  EXPECT_LE(error_of(whole_of(again, plan.input(), plan.members(), comm.virtual_comm()), widened(x)),
            2 * error_limit<double>(n));
}

TEST_F(PlanTest, refuses_line_transforms_that_do_not_fit) {
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  const LineTransform cosines = LineTransform::redft00;
  EXPECT_EQ(refusal({8, 8}, {.line_transforms = {cosines}}), "fft::Plan: 1 line transforms for 2 dimensions");
  EXPECT_EQ(refusal({8}, {.line_transforms = {cosines}}),
            "fft::Plan: one dimension has no sines and cosines; two dimensions, of which the second has "
            "length 1, have");
  EXPECT_EQ(refusal({8, 8}, {.kind = Kind::real, .line_transforms = {LineTransform::fourier, cosines}}),
            "fft::Plan: real points with redft00 in the last dimension have no fourier dimension");
  EXPECT_EQ(refusal({8, 8}, {.kind = Kind::real, .padded_rows = true, .line_transforms = {cosines, cosines}}),
            "fft::Plan: rows that stay real are not padded");
  EXPECT_EQ(refusal({1, 8}, {.line_transforms = {cosines, cosines}}), "fft::Plan: redft00 needs 2 points");
}

}  // namespace
}  // namespace cubefold::fft
