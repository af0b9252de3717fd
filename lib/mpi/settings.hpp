#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "plan/requested_exchange.hpp"

namespace cubefold::mpi {

/// Returns the value of an environment variable of this process, or an empty text if it is unset.
CUBEFOLD_API std::string own_variable(const char* name);

/// Collective: returns the value of an environment variable on process 0, or an empty text if it is unset.
CUBEFOLD_API std::string variable_of_root(const char* name, MPI_Comm comm);

/// What a program asks for by the keys of an MPI_Info: `grid`, `placement`, `machine`, `tuning`, `trials`, `ports` and
/// `queues`.
/// Each of them replaces an environment variable.
struct Hints {
  std::optional<std::string> grid;
  std::optional<std::string> placement;
  std::optional<std::string> machine;
  std::optional<std::string> tuning;
  std::optional<std::size_t> trials;
  std::optional<Ports> ports;
  std::optional<Queues> queues;
};

/// Reads the hints of an MPI_Info, or none of MPI_INFO_NULL. Does not communicate. Throws std::invalid_argument for a
/// value of `trials`, `ports` or `queues` that breaks a rule.
CUBEFOLD_API Hints read_hints(MPI_Info info);

/// Returns a text that is the same for the same hints only, as `grid=torus:4x4 trials=0`.
CUBEFOLD_API std::string to_string(const Hints& hints);

/// Returns whether there are hints that name files.
inline bool name_files(const Hints* hints) {
  return hints != nullptr && (hints->machine || hints->tuning);
}

/// Collective: returns a hint, or else the value of an environment variable on process 0, or an empty text. `hints` may
/// be null.
std::string hint_or_variable(const Hints* hints, std::optional<std::string> Hints::*hint,
                             const char* variable, MPI_Comm comm);

/// Collective: returns what the variables of process 0 ask for of exchanges, as parse_requests() does. Throws on all
/// processes.
CUBEFOLD_API ExchangeRequests requests_of_root(MPI_Comm comm);

}  // namespace cubefold::mpi
