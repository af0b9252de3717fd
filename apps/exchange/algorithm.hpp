#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/plan_cache.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/cases.hpp"
#include "exchange/rival.hpp"

/// An all-to-all over a communicator whose ranks name the blocks.
struct Algorithm {
  std::string name;
  std::shared_ptr<const cubefold::mpi::OwnedComm> comm;
  std::function<void(const std::byte* send, std::byte* receive, std::size_t block_bytes)> exchange;
};

/// Collective: what runs each case. Ours run over virtual ranks and the rivals over the processes as they were given.
/// Throws std::invalid_argument on all processes for blocks that are too large, and if a rival has to be forced and
/// this MPI cannot. The plans are those of cubefold_alltoall, if that is among the cases.
std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm,
                                  const std::vector<ExchangeCase>& cases, const std::vector<Rival>& rivals,
                                  const std::shared_ptr<cubefold::mpi::PlanCache>& plans);

/// Whether any of them needs allow_forcing() before MPI_Init.
bool any_forced(const std::vector<Rival>& rivals);
