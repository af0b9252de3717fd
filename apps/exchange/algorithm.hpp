#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/rival.hpp"

/// An all-to-all over a communicator whose ranks name the blocks.
struct Algorithm {
  std::string name;
  std::optional<cubefold::ExchangeMethod> ours;  ///< nothing: one of MPI's
  cubefold::mpi::OwnedComm comm;
  std::function<void(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm)> exchange;
};

/// Our exchanges over virtual ranks, as they were made for the comparison.
using OurExchanges =
    std::vector<std::pair<cubefold::ExchangeMethod, std::unique_ptr<cubefold::mpi::CompleteExchange>>>;

/// Collective: our exchanges, then the rivals over the processes as they were given. Throws std::invalid_argument on
/// all processes if a rival has to be forced and this MPI cannot. The result uses `exchanges`.
std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm, const OurExchanges& exchanges,
                                  const std::vector<Rival>& rivals);

/// Whether any of them needs allow_forcing() before MPI_Init.
bool any_forced(const std::vector<Rival>& rivals);
