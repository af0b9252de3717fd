#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>

#include "alltoall_plan.hpp"
#include "cubefold/exchange/method.hpp"

namespace cubefold::mpi {

inline constexpr const char* exchange_variable = "CUBEFOLD_ALLTOALL";

/// The exchange that CUBEFOLD_ALLTOALL names: `mpi`, a method, or a method after `nodes:` or `slots:`.
struct RequestedExchange {
  std::string text;                      ///< empty if the variable is not set
  Backend backend = Backend::schedule;   ///< Backend::mpi has no method
  std::optional<ExchangeMethod> method;  ///< empty if the variable is not set
};

/// Collective: reads the variable of process 0. Throws std::invalid_argument on all processes if it names no exchange.
RequestedExchange requested_exchange(MPI_Comm comm);

/// Collective: returns the value of CUBEFOLD_TRIALS of process 0, the number of measured rounds, or 3 if it is not set.
/// Throws std::invalid_argument on all processes if it is no number from 0 to 1000.
std::size_t requested_trials(MPI_Comm comm);

}  // namespace cubefold::mpi
