#include "next_mpi.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace cubefold::preload {

namespace {

/// Finds the next function with this name. If there is none, says so, and takes one that only returns MPI_ERR_INTERN.
template <typename... Arguments>
void find(int (*&function)(Arguments...), const char* name) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  function = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "cubefold: no library that is loaded after libcubefold-preload.so has %s\n", name);
  function = [](Arguments...) { return MPI_ERR_INTERN; };
}

NextMpi find_all() {
  NextMpi next{};
  find(next.alltoall, "PMPI_Alltoall");
  find(next.alltoallv, "PMPI_Alltoallv");
  find(next.cart_create, "PMPI_Cart_create");
  find(next.cart_map, "PMPI_Cart_map");
  find(next.dist_graph_create, "PMPI_Dist_graph_create");
  find(next.dist_graph_create_adjacent, "PMPI_Dist_graph_create_adjacent");
  find(next.finalize, "PMPI_Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi() {
  static const NextMpi next = find_all();
  return next;
}

}  // namespace cubefold::preload
