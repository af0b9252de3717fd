#pragma once

#include <map>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/algorithm.hpp"
#include "exchange/cases.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// Case n of `measured` is cases[n].
struct Comparison {
  std::vector<ExchangeCase> cases;
  cubefold::timing::Measured measured;
  std::map<std::size_t, std::string>
      choices;  ///< what cubefold_alltoall does with blocks of a size, if it is among the cases
};

/// Collective. Runs every case by the algorithm of the same number, all in random order, with one run of each ahead
/// that is not timed. Every byte of every run is checked: throws std::runtime_error on all processes, naming block,
/// byte and algorithm, if one is wrong.
cubefold::timing::Measured measure(const cubefold::mpi::VirtualComm& comm,
                                   const std::vector<ExchangeCase>& cases,
                                   const std::vector<Algorithm>& algorithms,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
