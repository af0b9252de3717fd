#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/mpi/complete_exchange.hpp"

namespace cubefold::mpi {

/// Collective: runs each exchange `trials` times and once before with blocks of that size, in turn, and gives the median time
/// of each, of its slowest process. The same on all processes. Takes 2 p blocks of memory meanwhile.
std::vector<double> trial_seconds(const std::vector<CompleteExchange*>& exchanges, std::size_t block_bytes,
                                  int trials, MPI_Comm comm);

}  // namespace cubefold::mpi
