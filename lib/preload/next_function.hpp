#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <type_traits>

namespace cubefold::preload {

template <typename Result, typename... Arguments>
Result missing_function(Arguments... /*arguments*/) {
  if constexpr (std::is_same_v<Result, int>) {
    return MPI_ERR_INTERN;
  } else {
    return Result();
  }
}

/// Returns `found` as a function like the given one. If it is null, says so on standard error, and returns a function
/// that only returns MPI_ERR_INTERN, or a null pointer.
template <typename Result, typename... Arguments>
auto found_function(Result (* /*like*/)(Arguments...), const char* name, void* found)
    -> Result (*)(Arguments...) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  if (found != nullptr) return reinterpret_cast<Result (*)(Arguments...)>(found);
  std::fprintf(stderr, "cubefold: no library that is loaded after the preloaded one has %s\n", name);
  return missing_function<Result, Arguments...>;
}

/// Returns the function of this name that comes next in the search order of the dynamic linker, as found_function().
template <typename Result, typename... Arguments>
auto next_function(Result (*like)(Arguments...), const char* name) {
  return found_function(like, name, dlsym(RTLD_NEXT, name));
}

}  // namespace cubefold::preload
