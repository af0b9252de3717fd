#include "next_mpi.hpp"

#include "next_function.hpp"

namespace cubefold::preload {

namespace {

NextMpi find_all() {
  NextMpi next{};
  find_next(next.alltoall, "PMPI_Alltoall");
  find_next(next.alltoallv, "PMPI_Alltoallv");
  find_next(next.cart_create, "PMPI_Cart_create");
  find_next(next.cart_map, "PMPI_Cart_map");
  find_next(next.dist_graph_create, "PMPI_Dist_graph_create");
  find_next(next.dist_graph_create_adjacent, "PMPI_Dist_graph_create_adjacent");
  find_next(next.finalize, "PMPI_Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi() {
  static const NextMpi next = find_all();
  return next;
}

}  // namespace cubefold::preload
