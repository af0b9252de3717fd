#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"

namespace cubefold::bench {

using Complex = std::complex<double>;

/// The input of all transforms: a function of the point alone, uniform in [-0.5, 0.5) in both parts.
Complex value_at(std::size_t point);

/// Sizes of an array, slowest dimension first.
using Lengths = std::vector<std::size_t>;

std::size_t point_count(const Lengths& lengths);

/// `1048576`, `128x128x128`.
std::string to_string(const Lengths& lengths);

/// A distributed forward transform in place, with an array of its own. Everything but value_of() is collective.
class PeerTransform {
 public:
  PeerTransform() = default;
  PeerTransform(const PeerTransform&) = delete;
  PeerTransform& operator=(const PeerTransform&) = delete;
  virtual ~PeerTransform() = default;

  virtual void fill() = 0;  ///< value_at() each point of the array
  virtual void run() = 0;

  /// Before the first sample is taken: what has to be found out of the order of the output. Leaves any data in the array.
  virtual void learn_order(const std::vector<std::size_t>& points) = 0;

  /// After run(): what is at a frequency, if this process has it.
  virtual std::optional<Complex> value_of(std::size_t point) const = 0;

  virtual std::size_t data_bytes() const = 0;  ///< of the array on this process
  virtual fft::PhaseTimes times() const = 0;   ///< of the last run; zeros where nothing is known
  virtual std::string explain() const = 0;     ///< empty where nothing is known
};

}  // namespace cubefold::bench
