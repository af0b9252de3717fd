#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "fft/options.hpp"
#include "npy/header.hpp"

namespace cubefold::fft_program {

/// What is transformed into what: arrays in natural order.
struct Problem {
  std::optional<npy::Header> file;  ///< none: the input is built in
  npy::Shape lengths;               ///< of the transform: those of the real array, where one side is real
  npy::Shape input_shape;
  npy::Element input;  ///< as the transform takes it; a file may have real numbers for complex ones
  npy::Shape output_shape;
  npy::Element output;

  std::size_t point_count() const { return npy::point_count(lengths); }
  bool is_single() const { return npy::is_single(output); }

  /// What the transform's operations are counted as: 5 n log2 n, as the G-FFT of the HPC Challenge does, half of that
  /// for real numbers.
  double flops() const;

  /// Length of the last dimension of the half of a spectrum on one side, or nothing.
  std::optional<std::size_t> full_length() const;

  /// The same if it is the input, or the output, that is the half of a spectrum.
  std::optional<std::size_t> half_of_input() const;
  std::optional<std::size_t> half_of_output() const;
};

/// What the options and the file ask for together. Throws std::invalid_argument, with the file's name where it is at
/// fault.
Problem problem_of(const Options& options, const std::optional<npy::Header>& file);

/// `128 x 128 x 128`.
std::string extents_text(const npy::Shape& shape);

}  // namespace cubefold::fft_program
