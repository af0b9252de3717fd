#include "next_mpi.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace cubefold::preload {

namespace {

template <typename Function>
void find(Function& function, const char* name) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "cubefold: no library that is loaded after libcubefold-preload.so has %s\n", name);
  std::abort();
}

NextMpi find_all() {
  NextMpi next{};
  find(next.alltoall, "PMPI_Alltoall");
  find(next.alltoallv, "PMPI_Alltoallv");
  find(next.cart_create, "PMPI_Cart_create");
  find(next.finalize, "PMPI_Finalize");
  return next;
}

}  // namespace

const NextMpi& next_mpi() {
  static const NextMpi next = find_all();
  return next;
}

}  // namespace cubefold::preload
