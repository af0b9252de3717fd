#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "program/progress.hpp"

/// Times of one algorithm at one block size, of the slowest process in each repetition.
struct Measurement {
  std::size_t block_bytes;
  std::string algorithm;
  std::vector<double> seconds;  ///< sorted

  double minimum() const { return seconds.front(); }
  double maximum() const { return seconds.back(); }
  double median() const;
};

/// Collective. Runs the CC-cube exchange over virtual ranks and MPI_Alltoall over the processes as they were
/// given, in turn, at each block size, with one run of each ahead that is not timed. Every byte of every run
/// is checked: throws std::runtime_error on all processes, naming block, byte and algorithm, if one is wrong;
/// and std::invalid_argument for a block size that the exchange refuses.
std::vector<Measurement> measure(const cubefold::mpi::VirtualComm& comm,
                                 const std::vector<std::size_t>& block_sizes, int repetitions,
                                 cubefold::program::Progress& progress);
