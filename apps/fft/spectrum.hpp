#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/fft/block_cyclic.hpp"

using Points = std::span<const std::complex<double>>;

/// Collective: sum of |x|^2 over the points of all processes.
double energy(MPI_Comm comm, Points part);

struct Bin {
  std::size_t index;
  double magnitude;
};

/// Collective, O(local points + log p) per bin: the bins of largest magnitude, descending.
std::vector<Bin> strongest_bins(MPI_Comm comm, Points part, const cubefold::fft::BlockCyclic& points,
                                cubefold::Rank rank, std::size_t count);
