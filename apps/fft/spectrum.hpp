#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Returns the sum of |x|^2 over the points of all processes. If the points are the half of a spectrum whose last
/// dimension has `full_length` frequencies, each point that represents two frequencies counts twice. T is float, double
/// or complex. All processes must call this.
template <typename T>
double energy(const npy::NaturalOrder& order, std::span<const T> part,
              std::optional<std::size_t> full_length);

struct Bin {
  std::size_t point;
  double magnitude;
};

/// Returns the bins of largest magnitude, in descending order. Costs O(local points + log p) per bin. All processes
/// must call this.
template <typename T>
std::vector<Bin> strongest_bins(const npy::NaturalOrder& order, std::size_t point_count,
                                std::span<const T> part, std::size_t count);

}  // namespace cubefold::fft_program
