#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"

namespace cubefold::bench {

using Complex = std::complex<double>;

/// Returns the input of all transforms at a point. It depends only on the point, and both parts are uniform in [-0.5,
/// 0.5).
Complex value_at(std::size_t point);

/// Holds the sizes of an array, slowest dimension first.
using Lengths = std::vector<std::size_t>;

std::size_t point_count(const Lengths& lengths);

/// Returns the lengths of the spectrum: the last one is halved if the points are real.
Lengths spectrum_lengths(Lengths lengths, fft::Kind kind);

/// Returns a text such as `1048576` or `128x128x128`.
std::string to_string(const Lengths& lengths);

/// Runs a distributed forward transform. All processes must call every function but
/// value_of().
class PeerTransform {
 public:
  PeerTransform() = default;
  PeerTransform(const PeerTransform&) = delete;
  PeerTransform& operator=(const PeerTransform&) = delete;
  virtual ~PeerTransform() = default;

  virtual void fill() = 0;  ///< sets each point of the array to value_at()
  virtual void run() = 0;

  /// Finds the order of the output. Must be called before the first call of value_of(). The contents of the array are
  /// undefined afterwards.
  virtual void learn_order(const std::vector<std::size_t>& points) = 0;

  /// Returns the value at a frequency after run(), if this process has it.
  virtual std::optional<Complex> value_of(std::size_t point) const = 0;

  virtual std::size_t data_bytes() const = 0;   ///< bytes of the spectrum on this process
  virtual std::size_t array_bytes() const = 0;  ///< bytes of its arrays, which all transforms share
  virtual bool arrays_come_first() const = 0;   ///< whether planning needs the arrays
  virtual fft::PhaseTimes times() const = 0;    ///< times of the last run; zeros if unknown
  virtual std::string explain() const = 0;      ///< text of the plan; empty if unknown
};

}  // namespace cubefold::bench
