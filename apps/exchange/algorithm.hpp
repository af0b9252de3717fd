#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/rival.hpp"

inline constexpr const char* cc_cube_name = "CC-cube";

/// An all-to-all over a communicator whose ranks name the blocks.
struct Algorithm {
  std::string name;
  cubefold::mpi::OwnedComm comm;
  std::function<void(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm)> exchange;
};

/// Collective: the CC-cube exchange over virtual ranks, then the rivals over the processes as they were given. Throws
/// std::invalid_argument on all processes if a rival has to be forced and this MPI cannot. The result uses `exchange`.
std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm,
                                  cubefold::mpi::CompleteExchange& exchange,
                                  const std::vector<Rival>& rivals);

/// Whether any of them needs allow_forcing() before MPI_Init.
bool any_forced(const std::vector<Rival>& rivals);
