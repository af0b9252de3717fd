#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubefold::mpi {

/// Whether all processes exchange blocks of one size, found without waiting: a collective that is begun here and looked at
/// later. 8 bytes of each process.
class EqualSizes {
 public:
  /// Begins; in one order with the other collectives on the communicator.
  EqualSizes(std::size_t block_bytes, MPI_Comm comm);
  EqualSizes(const EqualSizes&) = delete;
  EqualSizes& operator=(const EqualSizes&) = delete;
  ~EqualSizes();

  /// Whether the answer is there. Throws std::invalid_argument, with one text on all processes, if it is no, and names the first
  /// process that differs from rank 0.
  bool advance();

 private:
  std::uint64_t own_;
  std::vector<std::uint64_t> all_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cubefold::mpi
