#include "fft/serial_check.hpp"

#include <fftw3.h>

#include <algorithm>
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

std::vector<double> transform_alone(const Problem& problem, Transform transform, std::vector<double> input) {
  std::vector<double> output(npy::point_count(problem.output_shape) * numbers_of(problem.output));
  fftw_plan plan = plan_of(problem, transform, input.data(), output.data());
  if (plan == nullptr) throw std::runtime_error("FFTW refuses the serial transform of the check");
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  if (transform == Transform::inverse) {
    for (double& value : output) value /= static_cast<double>(problem.point_count());
  }
  return output;
}

}  // namespace

SerialCheck::SerialCheck(const Problem& problem, Transform transform, const NaturalOrder& order,
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
  mpi::root_try(order.comm(), [&] { result_ = transform_alone(problem, transform, std::move(whole)); });
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
