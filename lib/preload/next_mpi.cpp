#include "next_mpi.hpp"

#include <array>
#include <cstddef>

#include "next_function.hpp"

namespace cubefold::preload {

namespace {

/// Takes no memory, since nobody would handle a failure.
NextMpi find_all(Name kind) {
  NextMpi next{};
  const auto find = [&](auto& function, const char* name_of_profiling) {
    function = next_function(function, kind == Name::pmpi ? name_of_profiling : name_of_profiling + 1);
  };
#define CUBEFOLD_FIND(function) \
  find(next.function, "PMPI_" #function);  // NOLINT(bugprone-macro-parentheses): it is a name
  CUBEFOLD_FUNCTIONS(CUBEFOLD_FIND, CUBEFOLD_FIND, CUBEFOLD_NO_FUNCTION)
  CUBEFOLD_FUNCTIONS_OF_MPI_4(CUBEFOLD_FIND, CUBEFOLD_FIND, CUBEFOLD_NO_FUNCTION)
#undef CUBEFOLD_FIND
  return next;
}

}  // namespace

const NextMpi& next_mpi(Name name) {
  static const std::array next{find_all(Name::mpi), find_all(Name::pmpi)};
  return next[static_cast<std::size_t>(name)];
}

}  // namespace cubefold::preload
