#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/plan_cache.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/cases.hpp"

/// An all-to-all over a communicator whose ranks number the blocks.
struct Algorithm {
  std::string name;
  std::shared_ptr<const cubefold::mpi::OwnedComm> comm;
  std::function<void(const std::byte* send, std::byte* receive, std::size_t block_bytes)> exchange;
};

/// Returns the algorithm that runs each case. Algorithms of cubefold run over virtual ranks, and baselines run over the
/// processes in their given order. If cubefold_alltoall is among the cases, the plans are its plans. Throws
/// std::invalid_argument on all processes if blocks are too large, or if a baseline has to be forced and this MPI
/// cannot force it. All processes must call this.
std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm,
                                  const std::vector<ExchangeCase>& cases, const std::vector<Rival>& rivals,
                                  const std::shared_ptr<cubefold::mpi::PlanCache>& plans);

/// Returns whether any of the baselines needs allow_forcing() before MPI_Init.
bool any_forced(const std::vector<Rival>& rivals);
