#include "next_mpi.hpp"

#include "next_function.hpp"

namespace cubefold::preload {

namespace {

NextMpi find_all() {
  NextMpi next{};
  next.alltoall = next_function(next.alltoall, "PMPI_Alltoall");
  next.alltoallv = next_function(next.alltoallv, "PMPI_Alltoallv");
  next.ialltoall = next_function(next.ialltoall, "PMPI_Ialltoall");
  next.ialltoallv = next_function(next.ialltoallv, "PMPI_Ialltoallv");
  next.start = next_function(next.start, "PMPI_Start");
  next.startall = next_function(next.startall, "PMPI_Startall");
  next.request_free = next_function(next.request_free, "PMPI_Request_free");
  next.cart_create = next_function(next.cart_create, "PMPI_Cart_create");
  next.cart_map = next_function(next.cart_map, "PMPI_Cart_map");
  next.dist_graph_create = next_function(next.dist_graph_create, "PMPI_Dist_graph_create");
  next.dist_graph_create_adjacent =
      next_function(next.dist_graph_create_adjacent, "PMPI_Dist_graph_create_adjacent");
  next.init = next_function(next.init, "PMPI_Init");
  next.init_thread = next_function(next.init_thread, "PMPI_Init_thread");
  next.finalize = next_function(next.finalize, "PMPI_Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi() {
  static const NextMpi next = find_all();
  return next;
}

}  // namespace cubefold::preload
