#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "alltoall_setup.hpp"
#include "collective/neighbour_steps.hpp"
#include "collective/reduction.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"

namespace cubefold {

inline constexpr const char* exchange_variable = "CUBEFOLD_ALLTOALL";
inline constexpr const char* trials_variable = "CUBEFOLD_TRIALS";
inline constexpr const char* vector_variable = "CUBEFOLD_ALLREDUCE";
inline constexpr const char* neighbours_variable = "CUBEFOLD_NEIGHBORS";
inline constexpr const char* queues_variable = "CUBEFOLD_QUEUES";

/// The exchange that CUBEFOLD_ALLTOALL names: `mpi`, a method, or a method after `nodes:` or `slots:`.
struct RequestedExchange {
  std::string text;                      ///< empty if the variable is not set
  Backend backend = Backend::schedule;   ///< Backend::mpi has no method
  std::optional<ExchangeMethod> method;  ///< empty if the variable is not set

  bool operator==(const RequestedExchange&) const = default;
};

/// Returns the exchange that this value of CUBEFOLD_ALLTOALL names. Throws std::invalid_argument if it names none.
CUBEFOLD_API RequestedExchange parse_requested_exchange(std::string text);

/// How CUBEFOLD_ALLREDUCE asks vectors to be reduced and gathered: `mpi`, `tune`, or a method.
struct RequestedVectorMethod {
  std::string text;                         ///< empty if the variable is not set
  bool is_mpi = false;                      ///< MPI's own functions
  bool is_tuned = false;                    ///< by measured times of calls, whatever the operation
  std::optional<VectorMethod> method = {};  ///< empty if the variable is not set or names none

  bool operator==(const RequestedVectorMethod&) const = default;
};

/// Returns what this value of CUBEFOLD_ALLREDUCE asks for. Throws std::invalid_argument if it names no method.
CUBEFOLD_API RequestedVectorMethod parse_requested_vector_method(std::string text);

/// How CUBEFOLD_NEIGHBORS asks neighbours to exchange blocks: `mpi`, `direct` or `combined`.
struct RequestedNeighbours {
  bool is_mpi = false;                         ///< MPI's own functions
  std::optional<NeighbourMethod> method = {};  ///< empty if the variable is not set or names none

  bool operator==(const RequestedNeighbours&) const = default;
};

/// Returns what this value of CUBEFOLD_NEIGHBORS asks for. Throws std::invalid_argument for other values.
CUBEFOLD_API RequestedNeighbours parse_requested_neighbours(const std::string& text);

/// Returns the number of measured rounds for this value of CUBEFOLD_TRIALS, or nothing for an empty text. Throws
/// std::invalid_argument that begins with `name` if it is no number from 0 to 1000.
CUBEFOLD_API std::optional<std::size_t> parse_trials(const std::string& text,
                                                     const char* name = trials_variable);

/// What the user asks for of all exchanges.
struct ExchangeRequests {
  RequestedExchange exchange = {};
  std::optional<std::size_t> round_count = {};  ///< least number of measured rounds, or 0 to measure no calls
  Queues queues = Queues::unknown;              ///< in place of those of the machine file, unless unknown
  RequestedVectorMethod vector_method = {};
  RequestedNeighbours neighbours = {};
};

/// Returns what these values of CUBEFOLD_ALLTOALL, CUBEFOLD_TRIALS, CUBEFOLD_QUEUES, CUBEFOLD_ALLREDUCE and
/// CUBEFOLD_NEIGHBORS ask for. Empty texts ask for nothing. Throws std::invalid_argument that names the variable for
/// other texts.
CUBEFOLD_API ExchangeRequests parse_requests(std::string exchange, const std::string& trials,
                                             const std::string& queues, std::string vector_method = {},
                                             const std::string& neighbours = {});

}  // namespace cubefold
