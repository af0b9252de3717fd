#pragma once

#include <mpi.h>

#include <cstdint>

#include "interception.hpp"

namespace cubefold::preload {

/// The functions of MPI that this library replaces.
struct NextMpi {
  decltype(&PMPI_Alltoall) alltoall;
  decltype(&PMPI_Alltoallv) alltoallv;
  decltype(&PMPI_Ialltoall) ialltoall;
  decltype(&PMPI_Ialltoallv) ialltoallv;
  decltype(&PMPI_Start) start;
  decltype(&PMPI_Startall) startall;
  decltype(&PMPI_Request_free) request_free;
  decltype(&PMPI_Cart_create) cart_create;
  decltype(&PMPI_Cart_map) cart_map;
  decltype(&PMPI_Dist_graph_create) dist_graph_create;
  decltype(&PMPI_Dist_graph_create_adjacent) dist_graph_create_adjacent;
  decltype(&PMPI_Init) init;
  decltype(&PMPI_Init_thread) init_thread;
  decltype(&PMPI_Finalize) finalize;
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
