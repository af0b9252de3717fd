#include "cubefold/mpi/checked_mode.hpp"

#include <cstdlib>
#include <string_view>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

// Launchers need not hand the environment to all processes; a check on some of them would wait for the others.
bool checked_mode(MPI_Comm comm) {
  const char* value =
      std::getenv("CUBEFOLD_CHECK");  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  int checked = value != nullptr && std::string_view(value) == "1" ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &checked, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  return checked != 0;
}

}  // namespace cubefold::mpi
