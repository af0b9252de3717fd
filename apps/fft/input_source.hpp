#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "fft/options.hpp"
#include "fft/part.hpp"
#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Reads the input points from a file, or makes the points of the built-in signal.
class InputSource {
 public:
  /// Keeps references to both arguments, so both must outlive the object.
  InputSource(const Problem& problem, const Options& options) : problem_(problem), options_(options) {}

  /// Gives every process its points, in the places that the plan's layout gives them. Real numbers of a file are
  /// converted if the transform is complex. All processes must call this.
  template <typename Real>
  void fill(Part<Real>& part, const fft::Plan<Real>& plan, const npy::NaturalOrder& order) const;

 private:
  template <typename Real>
  void read(Part<Real>& part, const fft::Plan<Real>& plan, MPI_Comm comm) const;
  template <typename Real>
  void make(Part<Real>& part, const npy::OwnPoints& own) const;

  const Problem& problem_;
  const Options& options_;
};

}  // namespace cubefold::fft_program
