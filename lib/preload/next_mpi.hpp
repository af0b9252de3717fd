#pragma once

#include <mpi.h>

namespace cubefold::preload {

/// The functions of the MPI library that this library replaces.
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

/// Returns the functions that come next in the search order of the dynamic linker. Finds them at the first call. Ends
/// the program with a line on standard error if there is no MPI library, because no call could be passed on.
const NextMpi& next_mpi();

}  // namespace cubefold::preload
