#include "next_mpi.hpp"

#include "next_function.hpp"

namespace cubefold::preload {

namespace {

/// Takes no memory, since nobody would handle a failure.
NextMpi find_all(Name kind) {
  NextMpi next{};
  const auto find = [&](auto& function, const char* name_of_profiling) {
    function = next_function(function, kind == Name::pmpi ? name_of_profiling : name_of_profiling + 1);
  };
  find(next.alltoall, "PMPI_Alltoall");
  find(next.alltoallv, "PMPI_Alltoallv");
  find(next.ialltoall, "PMPI_Ialltoall");
  find(next.ialltoallv, "PMPI_Ialltoallv");
  find(next.start, "PMPI_Start");
  find(next.startall, "PMPI_Startall");
  find(next.request_free, "PMPI_Request_free");
  find(next.cart_create, "PMPI_Cart_create");
  find(next.cart_map, "PMPI_Cart_map");
  find(next.dist_graph_create, "PMPI_Dist_graph_create");
  find(next.dist_graph_create_adjacent, "PMPI_Dist_graph_create_adjacent");
  find(next.init, "PMPI_Init");
  find(next.init_thread, "PMPI_Init_thread");
  find(next.finalize, "PMPI_Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi(Name name) {
  static const NextMpi next = find_all(Name::mpi);
  static const NextMpi next_of_profiling = find_all(Name::pmpi);
  return name == Name::mpi ? next : next_of_profiling;
}

}  // namespace cubefold::preload
