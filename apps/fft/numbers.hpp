#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "npy/header.hpp"
#include "npy/own_points.hpp"

namespace cubefold::fft_program {

/// Real numbers of one element: 2 of complex ones.
std::size_t numbers_of(npy::Element element);

/// Points of that type as double.
void widen(npy::Element element, const void* from, std::size_t point_count, double* to);

/// This process's points as double, in natural order.
std::vector<double> widened(const npy::OwnPoints& own, npy::Element element, const void* part);

/// Collective: |result - expected| / |expected| in the L2 norm over all processes, |result| where nothing is expected.
double relative_error(MPI_Comm comm, const std::vector<double>& result, const std::vector<double>& expected);

}  // namespace cubefold::fft_program
