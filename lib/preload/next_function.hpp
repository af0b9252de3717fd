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

/// Returns the next function that makes a persistent request of a blocking function. MPI 3.1 has no persistent
/// collectives, so its header does not declare them. Open MPI 4 has them under another name.
template <typename... Arguments>
auto next_persistent(int (* /*blocking*/)(Arguments...), const char* name, const char* name_in_open_mpi_4) {
  using Function = int (*)(Arguments..., MPI_Info, MPI_Request*);
  return next_function(Function{}, dlsym(RTLD_NEXT, name) != nullptr ? name : name_in_open_mpi_4);
}

}  // namespace cubefold::preload
