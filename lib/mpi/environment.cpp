#include "environment.hpp"

#include <cstdlib>

#include "agreement.hpp"

namespace cubefold::mpi {

std::string own_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value == nullptr ? "" : value;
}

std::string variable_of_root(const char* name, MPI_Comm comm) {
  return text_of_root(comm, [&] { return own_variable(name); });
}

}  // namespace cubefold::mpi
