#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fft/options.hpp"
#include "fft/part.hpp"
#include "fft/point_layout.hpp"
#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Reads the input points from a file, or makes the points of the built-in signal.
class InputSource {
 public:
  /// Keeps references to both arguments, so both must outlive the object.
  InputSource(const Problem& problem, const Options& options) : problem_(problem), options_(options) {}

  /// Gives every process its points, in the places that the layout gives them. Real numbers of a file are converted if
  /// the transform is complex. All processes must call this.
  template <typename Real>
  void fill(Part<Real>& part, const PointLayout& at, const npy::NaturalOrder& order) const;

 private:
  template <typename Real>
  void read(Part<Real>& part, const PointLayout& at, MPI_Comm comm) const;
  template <typename Real>
  void make(Part<Real>& part, const npy::OwnPoints& own) const;

  const Problem& problem_;
  const Options& options_;
};

}  // namespace cubefold::fft_program
