#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

#include "program.hpp"

namespace cubefold::fft {

/// A function that applies a stage of single points to the points of a process. Both arrays are passed as complex
/// numbers even if the points are real. The arrays of a batch lie one behind the other.
template <typename Real>
using Pointwise = std::function<void(const std::complex<Real>* from, std::complex<Real>* to)>;

/// Returns the function of a chirp, of real-transform post-processing, or of a step between real and complex points,
/// with its tables. Returns an empty function for a KernelStage, whose function is multiplication() by its kernel.
/// Throws std::logic_error for other stages.
template <typename Real>
Pointwise<Real> pointwise(const Stage& stage, const Layout::Members& members, std::size_t batch);

/// Returns the function that multiplies the points of each array of the batch by the kernel, which has one entry for
/// each point of the process.
template <typename Real>
Pointwise<Real> multiplication(std::vector<std::complex<Real>> kernel, std::size_t batch);

/// Returns the input of kernel_program(), for the points j of a process in a layout of M points: exp(+-pi i d^2 /
/// length) with d = min(j, M - j) if d < length, and 0 otherwise.
template <typename Real>
std::vector<std::complex<Real>> kernel_input(const KernelStage& stage, const Layout& layout,
                                             const Layout::Members& members);

}  // namespace cubefold::fft
