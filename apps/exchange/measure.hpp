#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/cases.hpp"
#include "mpi/plan_cache.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// Describes an all-to-all over a communicator. Blocks are in the order of its ranks.
struct Algorithm {
  std::string name;
  std::shared_ptr<const cubefold::mpi::OwnedComm> comm;
  std::function<void(const std::byte* send, std::byte* receive, std::size_t block_bytes)> exchange;
};

/// Returns the algorithm that runs each case. Algorithms of cubefold run over virtual ranks, and baselines run over the
/// processes in their given order. If cubefold_alltoall is among the cases, it runs the plans of `plans`. Throws
/// std::invalid_argument on all processes if blocks are too large, or if a baseline has to be forced and this MPI
/// cannot force it. All processes must call this.
std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm,
                                  const std::vector<ExchangeCase>& cases,
                                  const std::vector<Baseline>& baselines,
                                  const std::shared_ptr<cubefold::mpi::PlanCache>& plans);

/// Returns whether any of the baselines needs allow_forcing() before MPI_Init.
bool any_forced(const std::vector<Baseline>& baselines);

/// Holds the results of a comparison. Case n of `measured` is cases[n].
struct Comparison {
  std::vector<ExchangeCase> cases;
  cubefold::timing::Measured measured;
  std::map<std::size_t, std::string>
      choices;  ///< what cubefold_alltoall does with each block size, if it is among the cases
};

/// Runs every case by the algorithm of the same number, in random order. One run of each comes first and is not timed.
/// Checks every byte of every run. Throws std::runtime_error on all processes if a byte is wrong, and names the block,
/// the byte and the algorithm. All processes must call this.
cubefold::timing::Measured measure(const cubefold::mpi::VirtualComm& comm,
                                   const std::vector<ExchangeCase>& cases,
                                   const std::vector<Algorithm>& algorithms,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
