#include "fft/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cubefold::fft_program {

namespace {

using npy::Element;
using npy::Shape;

Element real_element(bool single) {
  return single ? Element::float32 : Element::float64;
}

Element complex_element(bool single) {
  return single ? Element::complex64 : Element::complex128;
}

/// Returns the shape of the half spectrum of an array of real numbers.
Shape half_spectrum(Shape lengths) {
  lengths.back() = lengths.back() / 2 + 1;
  return lengths;
}

/// Returns the lengths of the real array whose half spectrum has this shape.
Shape real_lengths(Shape shape, const Options& options) {
  if (shape.back() == 0) throw std::invalid_argument("a spectrum without frequencies is that of nothing");
  const std::size_t pairs = 2 * (shape.back() - 1);
  if (pairs == 0 && !options.odd) {
    throw std::invalid_argument(fmt::format(
        "{}: one frequency is the spectrum of one number, an odd length: see --odd", options.input));
  }
  shape.back() = pairs + (options.odd ? 1 : 0);
  return shape;
}

void require_real(const Options& options, const std::optional<npy::Header>& file) {
  const bool is_spectrum = options.inverse && !fft::has_real_spectrum(plan_options(options));
  if (!file || !options.real || is_spectrum || !npy::is_complex(file->element)) return;
  throw std::invalid_argument(
      fmt::format("{}: {} is not real, as --real wants it", options.input, npy::name_of(file->element)));
}

}  // namespace

double Problem::flops() const {
  const auto n = static_cast<double>(point_count());
  return (full_length() ? 2.5 : 5) * n * std::log2(n) * static_cast<double>(batch);
}

std::optional<std::size_t> Problem::full_length() const {
  if (npy::is_complex(input) && npy::is_complex(output)) return std::nullopt;
  return lengths.back();
}

std::optional<std::size_t> Problem::half_of_input() const {
  return npy::is_complex(input) ? full_length() : std::nullopt;
}

std::optional<std::size_t> Problem::half_of_output() const {
  return npy::is_complex(output) ? full_length() : std::nullopt;
}

Problem problem_of(const Options& options, const std::optional<npy::Header>& file) {
  require_real(options, file);
  const bool single = file ? npy::is_single(file->element) : options.precision == Precision::float32;
  const Shape given = file ? file->shape : options.lengths;
  Problem problem{file, given, given, complex_element(single), given, complex_element(single), options.batch};
  if (fft::has_real_spectrum(plan_options(options))) {
    problem.input = real_element(single);
    problem.output = real_element(single);
  } else if (options.real && !options.inverse) {
    problem.input = real_element(single);
    problem.output_shape = half_spectrum(given);
  } else if (options.real) {
    if (file) problem.lengths = real_lengths(given, options);
    problem.input_shape = half_spectrum(problem.lengths);
    problem.output_shape = problem.lengths;
    problem.output = real_element(single);
  }
  npy::point_count(problem.lengths);  // throws if the array is too large
  return problem;
}

std::string extents_text(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace cubefold::fft_program
