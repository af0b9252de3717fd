#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold::mpi {

/// Runs local programs. Keeps its scratch, blocks_in_flight() blocks of the largest size so far, between runs.
class CUBEFOLD_API Executor {
 public:
  /// Every process of the communicator runs its own program of one schedule; peers are ranks of the
  /// communicator, which no other messages may use meanwhile. slots: slot_count blocks of block_bytes each.
  /// Throws std::invalid_argument if a message would pass 2^31 - 1 bytes, before any is sent; Error, on all processes
  /// alike, where there is no memory for the scratch; Error if a message fails or has not the size that was expected.
  void run(const LocalProgram& program, std::byte* slots, std::size_t block_bytes, MPI_Comm comm);

 private:
  void reserve(const LocalProgram& program, std::size_t block_bytes, MPI_Comm comm);
  void wait_for(const LocalStep& step, std::size_t block_bytes);
  void run_step(const LocalStep& step, std::byte* slots, std::size_t block_bytes, MPI_Comm comm);

  std::vector<std::byte> scratch_;
  std::size_t reserved_block_bytes_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

/// Throws std::invalid_argument if a message of the program would pass 2^31 - 1 bytes.
CUBEFOLD_API void require_countable(const LocalProgram& program, std::size_t block_bytes);

}  // namespace cubefold::mpi
