#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "npy/header.hpp"
#include "npy/own_points.hpp"

namespace cubefold::fft_program {

/// Returns the number of real numbers in one element: 2 for complex elements, and 1 otherwise.
std::size_t numbers_of(npy::Element element);

/// Converts points of type `element` to double.
void widen(npy::Element element, const void* from, std::size_t point_count, double* to);

/// Returns the points of this process as double, in natural order.
std::vector<double> widened(const npy::OwnPoints& own, npy::Element element, const void* part);

/// Returns |result - expected| / |expected| in the L2 norm over all processes. Returns |result| if all expected numbers
/// are 0. All processes must call this.
double relative_error(MPI_Comm comm, const std::vector<double>& result, const std::vector<double>& expected);

}  // namespace cubefold::fft_program
