#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Collective: sum of |x|^2 over the points of all processes. If they are the half of a spectrum whose last dimension
/// has `full_length` frequencies in all, those that stand for two count twice. T: float, double or complex.
template <typename T>
double energy(const npy::NaturalOrder& order, std::span<const T> part,
              std::optional<std::size_t> full_length);

struct Bin {
  std::size_t point;
  double magnitude;
};

/// Collective, O(local points + log p) per bin: the bins of largest magnitude, descending.
template <typename T>
std::vector<Bin> strongest_bins(const npy::NaturalOrder& order, std::size_t point_count,
                                std::span<const T> part, std::size_t count);

}  // namespace cubefold::fft_program
