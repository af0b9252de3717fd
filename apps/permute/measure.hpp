#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "permute/round.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// A round between the virtual ranks of a communicator.
struct PlacedRound {
  const cubefold::mpi::VirtualComm* comm;
  Round round;
};

/// One round with messages of one size.
struct PermuteCase {
  std::size_t round;  ///< index of a PlacedRound
  std::size_t block_bytes;
};

/// Runs all cases in random order. One run of each comes first and is not timed. Receives are posted before the barrier
/// at which the time begins. Checks every byte of every run. Throws std::runtime_error on all processes if a byte is
/// wrong, and names pattern, placement and byte. Throws std::invalid_argument for messages above 2^31 - 1 bytes. All
/// processes must call this.
cubefold::timing::Measured measure(const std::vector<PlacedRound>& rounds,
                                   const std::vector<PermuteCase>& cases,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
