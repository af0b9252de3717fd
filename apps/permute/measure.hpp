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

/// Collective. Runs all cases in random order, with one run of each ahead that is not timed. Receives are posted before
/// the barrier at which the time begins. Every byte of every run is checked: throws std::runtime_error on all
/// processes, naming pattern, placement and byte, if one is wrong; and std::invalid_argument for messages above 2^31 -
/// 1 bytes.
cubefold::timing::Measured measure(const std::vector<PlacedRound>& rounds,
                                   const std::vector<PermuteCase>& cases,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
