#pragma once

#include <mpi.h>

#include <complex>
#include <span>
#include <string>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/fft/block_cyclic.hpp"
#include "cubefold/fft/block_cyclic_fft.hpp"
#include "npy/header.hpp"

/// Collective: relative L2 error of the distributed result against a transform of the whole file that process
/// 0 does alone with FFTW, and for which it needs the memory. Throws std::runtime_error on all processes if
/// that fails.
double error_against_serial(MPI_Comm comm, const std::string& input, const cubefold::npy::Header& header,
                            cubefold::fft::Transform transform, const cubefold::fft::BlockCyclic& points,
                            cubefold::Rank rank, std::span<const std::complex<double>> result);

/// The error that a correct transform of this length may have: 4 eps sqrt(log2 n).
double error_limit(std::size_t point_count);
