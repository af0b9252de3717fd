#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "request_set.hpp"
#include "run_space.hpp"

namespace cubefold::mpi {

/// Finds out without waiting whether all processes exchange blocks of one size. In turn k every process gets the sizes
/// of up to 2^k others from the process 2^k above it, round the end: ceil(log2 p) messages and 8 bytes of each process.
/// A collective of MPI could not be left when another process fails.
class EqualSizes {
 public:
  /// Begins.
  EqualSizes(std::size_t block_bytes, const RunSpace& space);

  /// Does what can be done; whether the answer is there. Throws AgreedArgument, with one text on all processes, if
  /// sizes differ, and names the first process that differs from rank 0.
  bool advance();

 private:
  void begin_turn();
  void require_equal() const;

  RunSpace space_;
  int rank_ = 0;
  int size_ = 0;
  std::vector<std::uint64_t> sizes_;  ///< of the processes from this one on, round the end
  int known_ = 1;                     ///< so many of them are there
  struct Nothing {};
  RequestSet<Nothing> messages_;
};

}  // namespace cubefold::mpi
