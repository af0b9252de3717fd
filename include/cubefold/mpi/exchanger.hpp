#pragma once

#include <memory>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/exchange_space.hpp"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::mpi {

/// Who moves the blocks of exchanges that are waited for at once: our executor, or MPI_Alltoall. What goes on in the
/// background and packets are always the executor's.
enum class Mover : std::uint8_t { executor, library };

/// What all processes have to choose alike for an exchange.
struct ExchangeSetup {
  ExchangeMethod method;
  NetworkRules network;
  RunRules rules;
  Mover mover = Mover::executor;

  bool operator==(const ExchangeSetup&) const = default;
};

/// What exchanges of one setup share on one process.
struct Exchanger {
  std::shared_ptr<const Executor> executor;
  std::shared_ptr<ExchangeSpace> space;
  Rank rank;
  Mover mover;
};

/// Collective: plans in the time of this rank's part, or of the whole schedule for Pacing::tokens, and sets
/// RunRules::most_blocks. The space has to count the ranks of comm.virtual_comm(), and nothing may be under way on it.
/// Throws std::invalid_argument on all processes if the method does not fit the grid, and Error on all if one has no
/// memory.
CUBEFOLD_API Exchanger make_exchanger(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space,
                                      const ExchangeSetup& setup);

}  // namespace cubefold::mpi
