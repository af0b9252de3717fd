#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "fft/options.hpp"
#include "npy/header.hpp"

namespace cubefold::fft_program {

/// Describes the arrays of a transform, in natural order.
struct Problem {
  std::optional<npy::Header> file;  ///< empty if the input is built in
  npy::Shape lengths;               ///< lengths of the transform; of the real array if one side is real
  npy::Shape input_shape;
  npy::Element input;  ///< type that the transform takes; a file may have real numbers for a complex one
  npy::Shape output_shape;
  npy::Element output;
  std::size_t batch = 1;  ///< equal arrays that are transformed together

  std::size_t point_count() const { return npy::point_count(lengths); }
  bool is_single() const { return npy::is_single(output); }

  /// Returns the number of operations of the transform: 5 n log2 n, as the G-FFT of the HPC Challenge counts them, and
  /// half of that for real numbers, for all arrays together.
  double flops() const;

  /// Returns the full length of the last dimension if one side is a half spectrum, or nothing.
  std::optional<std::size_t> full_length() const;

  /// Returns full_length() if the input, or the output, is a half spectrum. Returns nothing otherwise.
  std::optional<std::size_t> half_of_input() const;
  std::optional<std::size_t> half_of_output() const;
};

/// Returns the problem that the options and the file describe. Throws std::invalid_argument if they do not fit; the
/// text names the file if the file is the cause.
Problem problem_of(const Options& options, const std::optional<npy::Header>& file);

/// Returns a text such as `128 x 128 x 128`.
std::string extents_text(const npy::Shape& shape);

}  // namespace cubefold::fft_program
