#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

/// What stages that work on points one by one do with a process's points, in complex numbers where those are real too.
/// Arrays of a batch lie one behind the other.
template <typename Real>
using Pointwise = std::function<void(const std::complex<Real>* from, std::complex<Real>* to)>;

template <typename Real>
Pointwise<Real> pointwise(const ChirpStage& stage, const Layout::Members& members, std::size_t batch);
template <typename Real>
Pointwise<Real> pointwise(const UntangleStage& stage, const Layout::Members& members, std::size_t batch);
template <typename Real>
Pointwise<Real> pointwise(const RealStage& stage, const Layout::Members& members, std::size_t batch);

/// The kernel is that of the process's points, kernel_input() transformed.
template <typename Real>
Pointwise<Real> pointwise(const KernelStage& stage, const Layout::Members& members, std::size_t batch,
                          std::vector<std::complex<Real>> kernel);

/// What goes through the stages before a KernelStage to make its kernel, in a layout.
template <typename Real>
std::vector<std::complex<Real>> kernel_input(const KernelStage& stage, const Layout& layout,
                                             const Layout::Members& members);

}  // namespace cubefold::fft
