#pragma once

#include <map>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/algorithm.hpp"
#include "exchange/cases.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// The results of a comparison. Case n of `measured` is cases[n].
struct Comparison {
  std::vector<ExchangeCase> cases;
  cubefold::timing::Measured measured;
  std::map<std::size_t, std::string>
      choices;  ///< what cubefold_alltoall does with each block size, if it is among the cases
};

/// Runs every case by the algorithm of the same number, in random order. One run of each comes first and is not timed.
/// Checks every byte of every run. Throws std::runtime_error on all processes if a byte is wrong, and names block, byte
/// and algorithm. All processes must call this.
cubefold::timing::Measured measure(const cubefold::mpi::VirtualComm& comm,
                                   const std::vector<ExchangeCase>& cases,
                                   const std::vector<Algorithm>& algorithms,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
