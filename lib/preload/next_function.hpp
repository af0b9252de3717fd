#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>

namespace cubefold::preload {

/// Sets `function` to the function of this name that comes next in the search order of the dynamic linker. If there is
/// none, says so on standard error, and takes one that only returns MPI_ERR_INTERN.
template <typename... Arguments>
void find_next(int (*&function)(Arguments...), const char* name) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  function = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "cubefold: no library that is loaded after the preloaded one has %s\n", name);
  function = [](Arguments...) { return MPI_ERR_INTERN; };
}

}  // namespace cubefold::preload
