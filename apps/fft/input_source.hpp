#pragma once

#include "cubefold/fft/plan.hpp"
#include "fft/options.hpp"
#include "fft/part.hpp"
#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Where points come from: a file, or the built-in signal.
class InputSource {
 public:
  /// Both outlive it.
  InputSource(const Problem& problem, const Options& options) : problem_(problem), options_(options) {}

  /// Collective: gives every process its points, where the plan wants them. Real numbers of a file become complex ones
  /// if those are transformed.
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
