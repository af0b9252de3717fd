#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>

namespace cubefold::preload {

template <typename... Arguments>
int missing_function(Arguments... /*arguments*/) {
  return MPI_ERR_INTERN;
}

/// Returns the function of this name that comes next in the search order of the dynamic linker. If there is none, says
/// so on standard error, and returns one that only returns MPI_ERR_INTERN.
template <typename... Arguments>
auto next_function(int (* /*like*/)(Arguments...), const char* name) -> int (*)(Arguments...) {
  void* const found = dlsym(RTLD_NEXT, name);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  if (found != nullptr) return reinterpret_cast<int (*)(Arguments...)>(found);
  std::fprintf(stderr, "cubefold: no library that is loaded after the preloaded one has %s\n", name);
  return missing_function<Arguments...>;
}

}  // namespace cubefold::preload
