#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/rival.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// One algorithm at one block size.
struct ExchangeCase {
  std::size_t block_bytes;
  std::string algorithm;
  std::optional<cubefold::ExchangeMethod> ours;  ///< nothing: one of MPI's
};

/// Case n of `measured` is cases[n].
struct Comparison {
  std::vector<ExchangeCase> cases;
  cubefold::timing::Measured measured;
};

/// Collective. Runs our exchanges over virtual ranks and their rivals over the processes as they were given, at
/// every block size, all in random order, with one run of each ahead that is not timed. Every byte of every run
/// is checked: throws std::runtime_error on all processes, naming block, byte and algorithm, if one is wrong;
/// and std::invalid_argument for a block size that the exchange refuses and for rivals that this MPI does not have.
Comparison compare(const cubefold::mpi::VirtualComm& comm,
                   const std::vector<cubefold::ExchangeMethod>& ours, const std::vector<Rival>& rivals,
                   const cubefold::timing::RunOptions& options, cubefold::program::Progress& progress);
