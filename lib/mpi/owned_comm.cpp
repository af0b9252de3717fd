#include "cubefold/mpi/owned_comm.hpp"

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

OwnedComm::~OwnedComm() {
  if (comm_ == MPI_COMM_NULL) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

OwnedComm OwnedComm::adopt(MPI_Comm comm) {
  OwnedComm owned;
  owned.comm_ = comm;
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return owned;
}

OwnedComm OwnedComm::duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup");
  return adopt(copy);
}

OwnedComm OwnedComm::reordered(MPI_Comm comm, int key) {
  MPI_Comm ordered = MPI_COMM_NULL;
  check(MPI_Comm_split(comm, 0, key, &ordered), "MPI_Comm_split");
  return adopt(ordered);
}

}  // namespace cubefold::mpi
