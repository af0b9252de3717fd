#include "next_mpi.hpp"

#include <string>

#include "next_function.hpp"

namespace cubefold::preload {

namespace {

NextMpi find_all(const std::string& prefix) {
  NextMpi next{};
  const auto find = [&](auto& function, const char* name) {
    function = next_function(function, (prefix + name).c_str());
  };
  find(next.alltoall, "Alltoall");
  find(next.alltoallv, "Alltoallv");
  find(next.ialltoall, "Ialltoall");
  find(next.ialltoallv, "Ialltoallv");
  find(next.start, "Start");
  find(next.startall, "Startall");
  find(next.request_free, "Request_free");
  find(next.cart_create, "Cart_create");
  find(next.cart_map, "Cart_map");
  find(next.dist_graph_create, "Dist_graph_create");
  find(next.dist_graph_create_adjacent, "Dist_graph_create_adjacent");
  find(next.init, "Init");
  find(next.init_thread, "Init_thread");
  find(next.finalize, "Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi(Name name) {
  static const NextMpi next = find_all("MPI_");
  static const NextMpi next_of_profiling = find_all("PMPI_");
  return name == Name::mpi ? next : next_of_profiling;
}

}  // namespace cubefold::preload
