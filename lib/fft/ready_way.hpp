#pragma once

#include <complex>
#include <cstddef>
#include <variant>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "packet_run.hpp"
#include "pass.hpp"
#include "pointwise.hpp"
#include "way.hpp"

namespace cubefold::fft {

template <typename Real>
using Step = std::variant<Pass<Real>, BlockStep, Pointwise<Real>>;

/// A way with everything that it takes to go it as often as wanted.
template <typename Real>
struct ReadyWay {
  Way way;
  std::vector<Step<Real>> steps;  ///< of each move

  /// Nothing where the step is of another kind, or there is none.
  template <typename Kind>
  const Kind* at(std::size_t step) const {
    return step < steps.size() ? std::get_if<Kind>(&steps[step]) : nullptr;
  }
};

/// Arrays that a way goes through; the workspace has both work arrays of its route. Input and output may be the same.
template <typename Real>
struct GivenArrays {
  const std::complex<Real>* input;
  std::complex<Real>* output;
  std::complex<Real>* workspace;
};

/// Collective, with the same way on all processes. Adds to the times of exchanges and of what they overlap.
template <typename Real>
void run(const ReadyWay<Real>& ready, const GivenArrays<Real>& arrays, PhaseTimes& times);

extern template void run(const ReadyWay<float>& ready, const GivenArrays<float>& arrays, PhaseTimes& times);
extern template void run(const ReadyWay<double>& ready, const GivenArrays<double>& arrays, PhaseTimes& times);

}  // namespace cubefold::fft
