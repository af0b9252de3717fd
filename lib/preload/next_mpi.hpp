#pragma once

#include <mpi.h>

#include <cstdint>

#include "functions.hpp"
#include "interception.hpp"

namespace cubefold::preload {

/// The functions that come next, each by its name in MPI.
struct NextMpi {
#define CUBEFOLD_NEXT(function) \
  decltype(&PMPI_##function) function;  // NOLINT(bugprone-macro-parentheses): it is a name
  CUBEFOLD_FUNCTIONS(CUBEFOLD_NEXT, CUBEFOLD_NEXT, CUBEFOLD_NO_FUNCTION)
  CUBEFOLD_FUNCTIONS_OF_MPI_4(CUBEFOLD_NEXT, CUBEFOLD_NEXT, CUBEFOLD_NO_FUNCTION)
#undef CUBEFOLD_NEXT
};

/// The name by which a function was called: MPI_* or PMPI_*.
enum class Name : std::uint8_t { mpi, pmpi };

/// Returns the functions of this name that come next in the search order of the dynamic linker. Finds them at the first
/// call. Ends the program with a line on standard error if there is no MPI library, because no call could be passed on.
const NextMpi& next_mpi(Name name);

/// Returns call(next) for a call of the program. The next functions of the names MPI_* may be those of a tool, which
/// goes on to PMPI_*, the functions of this library. So they let such a call pass to MPI without another look at it.
/// Calls of this library go to MPI only.
template <typename Call>
auto pass_on(Name name, Call call) {
  const NextMpi& next = next_mpi(InsideLibrary::is_active() ? Name::pmpi : name);
  const InsideLibrary inside;
  return call(next);
}

}  // namespace cubefold::preload
