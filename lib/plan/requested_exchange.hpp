#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "alltoall_setup.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"

namespace cubefold {

inline constexpr const char* exchange_variable = "CUBEFOLD_ALLTOALL";
inline constexpr const char* trials_variable = "CUBEFOLD_TRIALS";

/// The exchange that CUBEFOLD_ALLTOALL names: `mpi`, a method, or a method after `nodes:` or `slots:`.
struct RequestedExchange {
  std::string text;                      ///< empty if the variable is not set
  Backend backend = Backend::schedule;   ///< Backend::mpi has no method
  std::optional<ExchangeMethod> method;  ///< empty if the variable is not set

  bool operator==(const RequestedExchange&) const = default;
};

/// Returns the exchange that this value of CUBEFOLD_ALLTOALL names. Throws std::invalid_argument if it names none.
CUBEFOLD_API RequestedExchange parse_requested_exchange(std::string text);

/// Returns the number of measured rounds for this value of CUBEFOLD_TRIALS, which is 3 for an empty text. Throws
/// std::invalid_argument that begins with `name` if it is no number from 0 to 1000.
CUBEFOLD_API std::size_t parse_trials(const std::string& text, const char* name = trials_variable);

}  // namespace cubefold
