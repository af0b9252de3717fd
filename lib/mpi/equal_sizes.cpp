#include "equal_sizes.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

EqualSizes::EqualSizes(std::size_t block_bytes, MPI_Comm comm) : own_(block_bytes) {
  int size = 0;
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  all_.resize(static_cast<std::size_t>(size));
  check(MPI_Iallgather(&own_, 1, MPI_UINT64_T, all_.data(), 1, MPI_UINT64_T, comm, &request_),
        "MPI_Iallgather");
}

// Left alone in the middle only by a program that ends: a collective cannot be cancelled.
EqualSizes::~EqualSizes() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

bool EqualSizes::advance() {
  int is_there = 0;
  check(MPI_Test(&request_, &is_there, MPI_STATUS_IGNORE), "MPI_Test");
  if (is_there == 0) return false;
  for (std::size_t rank = 1; rank < all_.size(); ++rank) {
    if (all_[rank] == all_[0]) continue;
    throw std::invalid_argument(
        fmt::format("process {} of {}: block size '{}' differs from '{}' of process 0", rank, all_.size(),
                    all_[rank], all_[0]));
  }
  return true;
}

}  // namespace cubefold::mpi
