#pragma once

#include <mpi.h>

#include <memory>

#include "execution.hpp"

namespace cubefold::fft {

/// Makes the execution of a program. With more rigor than Rigor::estimate, where the options allow joined transforms or
/// windows, it makes the execution with and without them, runs each between two arrays and in place, and returns the
/// one whose slowest process takes least in both together. While it measures it takes the memory of two arrays and of
/// the workspaces. All processes of the axes must call this; they are the processes of `comm`. Throws on all processes
/// if it throws on one.
template <typename Real>
std::unique_ptr<Execution<Real>> fastest_execution(const Program& program, const ProcessAxes& axes,
                                                   const ExecutionOptions& options, MPI_Comm comm);

extern template std::unique_ptr<Execution<float>> fastest_execution(const Program&, const ProcessAxes&,
                                                                    const ExecutionOptions&, MPI_Comm);
extern template std::unique_ptr<Execution<double>> fastest_execution(const Program&, const ProcessAxes&,
                                                                     const ExecutionOptions&, MPI_Comm);

}  // namespace cubefold::fft
