#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

#include "program.hpp"

namespace cubefold::fft {

/// What a stage that works on points one by one does with a process's points, in complex numbers where those are real
/// too. Arrays of a batch lie one behind the other.
template <typename Real>
using Pointwise = std::function<void(const std::complex<Real>* from, std::complex<Real>* to)>;

/// Makes ready a chirp, real-transform post-processing or a step between real and complex points, with its tables. A
/// KernelStage gives an empty function, as multiplication() needs its kernel. Throws std::logic_error for other stages.
template <typename Real>
Pointwise<Real> pointwise(const Stage& stage, const Layout::Members& members, std::size_t batch);

/// Multiplies the points of each array of the batch by the kernel of the process's points.
template <typename Real>
Pointwise<Real> multiplication(std::vector<std::complex<Real>> kernel, std::size_t batch);

/// Returns what goes through the stages before a KernelStage to make its kernel, for a process's points j of a layout
/// of M points: exp(+-pi i d^2 / length) with d = min(j, M - j) where d < length, and 0 elsewhere.
template <typename Real>
std::vector<std::complex<Real>> kernel_input(const KernelStage& stage, const Layout& layout,
                                             const Layout::Members& members);

}  // namespace cubefold::fft
