#include "broadcast.hpp"

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

std::string broadcast_text(MPI_Comm comm, std::string text, int root) {
  int length = static_cast<int>(text.size());
  check(MPI_Bcast(&length, 1, MPI_INT, root, comm), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm), "MPI_Bcast");
  return text;
}

}  // namespace cubefold::mpi
