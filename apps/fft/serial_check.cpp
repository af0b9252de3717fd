#include "fft/serial_check.hpp"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "fft/numbers.hpp"
#include "mpi/agreement.hpp"

using cubefold::fft::Transform;
using cubefold::npy::NaturalOrder;
using cubefold::npy::Range;

namespace cubefold::fft_program {

namespace {

/// Returns ranges that give all points to process 0.
std::vector<Range> all_on_first(std::size_t point_count, int process_count) {
  std::vector<Range> ranges(static_cast<std::size_t>(process_count), Range{point_count, point_count});
  ranges.front() = {0, point_count};
  return ranges;
}

std::vector<fftw_iodim64> dimensions_of(const Problem& problem) {
  std::vector<fftw_iodim64> dimensions(problem.lengths.size());
  std::ptrdiff_t in = 1;
  std::ptrdiff_t out = 1;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    dimensions[d] = {static_cast<std::ptrdiff_t>(problem.lengths[d]), in, out};
    in *= static_cast<std::ptrdiff_t>(problem.input_shape[d]);
    out *= static_cast<std::ptrdiff_t>(problem.output_shape[d]);
  }
  return dimensions;
}

// NOLINTBEGIN: a complex number is a pair of doubles in FFTW and here
fftw_plan plan_of(const Problem& problem, Transform transform, double* in, double* out) {
  const auto dimensions = dimensions_of(problem);
  const int rank = static_cast<int>(dimensions.size());
  auto* complex_in = reinterpret_cast<fftw_complex*>(in);
  auto* complex_out = reinterpret_cast<fftw_complex*>(out);
  if (!npy::is_complex(problem.input)) {
    return fftw_plan_guru64_dft_r2c(rank, dimensions.data(), 0, nullptr, in, complex_out, FFTW_ESTIMATE);
  }
  if (!npy::is_complex(problem.output)) {
    return fftw_plan_guru64_dft_c2r(rank, dimensions.data(), 0, nullptr, complex_in, out, FFTW_ESTIMATE);
  }
  const int sign = transform == Transform::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  return fftw_plan_guru64_dft(rank, dimensions.data(), 0, nullptr, complex_in, complex_out, sign,
                              FFTW_ESTIMATE);
}
// NOLINTEND

/// Transforms one dimension of an array of real or complex numbers in place by a cosine, a sine or a complex Fourier
/// transform.
void transform_dimension(const npy::Shape& shape, std::size_t dimension, bool is_complex,
                         fft::LineTransform line, Transform transform, std::vector<double>& data) {
  constexpr std::array<fftw_r2r_kind, 9> kinds{FFTW_R2HC,    FFTW_REDFT00, FFTW_REDFT01,
                                               FFTW_REDFT10, FFTW_REDFT11, FFTW_RODFT00,
                                               FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11};
  const bool is_fourier = line == fft::LineTransform::fourier;
  const std::ptrdiff_t numbers = is_complex && !is_fourier ? 2 : 1;  // places of a point
  std::vector<fftw_iodim64> others;
  fftw_iodim64 along{};
  std::ptrdiff_t stride = numbers;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const fftw_iodim64 each{static_cast<std::ptrdiff_t>(shape[d]), stride, stride};
    if (d == dimension) {
      along = each;
    } else {
      others.push_back(each);
    }
    stride *= static_cast<std::ptrdiff_t>(shape[d]);
  }
  if (numbers == 2) others.push_back({2, 1, 1});
  const int other_count = static_cast<int>(others.size());
  auto* points =
      reinterpret_cast<fftw_complex*>(data.data());  // NOLINT: a complex number is a pair of doubles
  const fftw_r2r_kind kind = kinds.at(static_cast<std::size_t>(line));
  fftw_plan plan = is_fourier
                       ? fftw_plan_guru64_dft(1, &along, other_count, others.data(), points, points,
                                              transform == Transform::forward ? FFTW_FORWARD : FFTW_BACKWARD,
                                              FFTW_ESTIMATE)
                       : fftw_plan_guru64_r2r(1, &along, other_count, others.data(), data.data(), data.data(),
                                              &kind, FFTW_ESTIMATE);
  if (plan == nullptr) throw std::runtime_error("FFTW refuses the serial transform of the check");
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/// Transforms the last dimension between real numbers and half a spectrum.
std::vector<double> transform_last(const Problem& problem, std::vector<double> input) {
  const std::size_t count = problem.point_count() / problem.lengths.back();
  const fftw_iodim64 along{static_cast<std::ptrdiff_t>(problem.lengths.back()), 1, 1};
  const fftw_iodim64 others{static_cast<std::ptrdiff_t>(count),
                            static_cast<std::ptrdiff_t>(problem.input_shape.back()),
                            static_cast<std::ptrdiff_t>(problem.output_shape.back())};
  std::vector<double> output(npy::point_count(problem.output_shape) * numbers_of(problem.output));
  auto* const in = reinterpret_cast<fftw_complex*>(input.data());    // NOLINT: as above
  auto* const out = reinterpret_cast<fftw_complex*>(output.data());  // NOLINT: as above
  fftw_plan plan = npy::is_complex(problem.output)
                       ? fftw_plan_guru64_dft_r2c(1, &along, 1, &others, input.data(), out, FFTW_ESTIMATE)
                       : fftw_plan_guru64_dft_c2r(1, &along, 1, &others, in, output.data(), FFTW_ESTIMATE);
  if (plan == nullptr) throw std::runtime_error("FFTW refuses the serial transform of the check");
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return output;
}

/// Transforms dimension by dimension, each in its own way.
std::vector<double> transform_by_lines(const Problem& problem, const fft::PlanOptions& options,
                                       std::vector<double> data) {
  const bool has_half = npy::is_complex(problem.input) != npy::is_complex(problem.output);
  const bool is_forward = options.transform == Transform::forward;
  if (has_half && is_forward) data = transform_last(problem, std::move(data));
  const npy::Shape& shape = is_forward ? problem.output_shape : problem.input_shape;
  const bool is_complex = npy::is_complex(problem.input) || npy::is_complex(problem.output);
  for (std::size_t d = 0; d + (has_half ? 1 : 0) < shape.size(); ++d)
    transform_dimension(shape, d, is_complex, line_transform_of(options, d), options.transform, data);
  if (has_half && !is_forward) data = transform_last(problem, std::move(data));
  return data;
}

std::vector<double> transform_at_once(const Problem& problem, Transform transform,
                                      std::vector<double> input) {
  std::vector<double> output(npy::point_count(problem.output_shape) * numbers_of(problem.output));
  fftw_plan plan = plan_of(problem, transform, input.data(), output.data());
  if (plan == nullptr) throw std::runtime_error("FFTW refuses the serial transform of the check");
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return output;
}

std::vector<double> transform_alone(const Problem& problem, const fft::PlanOptions& options,
                                    std::vector<double> input) {
  std::vector<double> output = options.line_transforms.empty()
                                   ? transform_at_once(problem, options.transform, std::move(input))
                                   : transform_by_lines(problem, options, std::move(input));
  const double scale = scale_of(options, scaled_count(problem.lengths, options));
  for (double& value : output) value *= scale;
  return output;
}

}  // namespace

SerialCheck::SerialCheck(const Problem& problem, const fft::PlanOptions& options, const NaturalOrder& order,
                         const void* part)
    : problem_(problem) {
  const std::size_t count = npy::point_count(problem.input_shape);
  std::vector<double> whole;
  std::vector<Range> ranges =
      mpi::agree_on_outcome(order.comm(), [&] { return all_on_first(count, order.process_count()); });
  mpi::root_try(order.comm(), [&] { whole.resize(count * numbers_of(problem.input)); });
  order.gather(ranges, part, npy::bytes_of(problem.input), [&](const Range& range, const std::byte* points) {
    widen(problem.input, points, range.count(), whole.data() + range.first * numbers_of(problem.input));
  });
  mpi::root_try(order.comm(), [&] { result_ = transform_alone(problem, options, std::move(whole)); });
}

double SerialCheck::error_of(const NaturalOrder& order, const void* part) const {
  const auto element = npy::is_complex(problem_.output) ? npy::Element::complex128 : npy::Element::float64;
  const std::size_t bytes = npy::bytes_of(element);
  std::vector<std::byte> theirs;
  std::vector<Range> ranges;
  mpi::agree_on_outcome(order.comm(), [&] {
    theirs.resize(order.own().place_count() * bytes);
    ranges = all_on_first(npy::point_count(problem_.output_shape), order.process_count());
  });
  order.scatter(ranges, theirs.data(), bytes, [&](const Range& range, std::byte* points) {
    const auto* from = reinterpret_cast<const std::byte*>(result_.data());  // NOLINT: copied as bytes
    std::copy_n(from + range.first * bytes, range.count() * bytes, points);
  });
  std::vector<double> result;
  std::vector<double> expected;
  mpi::agree_on_outcome(order.comm(), [&] {
    result = widened(order.own(), problem_.output, part);
    expected = widened(order.own(), element, theirs.data());
  });
  return relative_error(order.comm(), result, expected);
}

double error_limit(const Problem& problem) {
  const double epsilon =
      problem.is_single() ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return 4 * epsilon * std::sqrt(std::max(1.0, std::log2(static_cast<double>(problem.point_count()))));
}

}  // namespace cubefold::fft_program
