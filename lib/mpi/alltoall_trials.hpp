#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/mpi/alltoall_plan.hpp"

namespace cubefold::mpi {

/// Trials of exchanges with blocks of one size, in turn. The times of short exchanges vary more, so trials go on until
/// all of them together have taken a quarter of a second, but not beyond 25 of each exchange.
struct Trials {
  std::vector<std::shared_ptr<AlltoallPlan>> exchanges;

  /// Takes 2 p blocks of memory, what each exchange needs, and memory for the times. Local. Throws std::bad_alloc, and
  /// std::invalid_argument for blocks longer than 2^31 - 1 bytes.
  void take_memory(std::size_t block_bytes, int least_count);

  /// Collective: runs each exchange once, and then `least_count` times at least. Takes no memory of its own.
  void run(MPI_Comm comm);

  int count() const { return count_; }

  /// Returns the median of each exchange's trials. A trial lasts as long as its slowest process.
  std::vector<double> seconds() const;

 private:
  double seconds_of(AlltoallPlan& exchange, MPI_Comm comm);

  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  int block_bytes_ = 0;
  int least_count_ = 0;
  int count_ = 0;
  std::vector<std::vector<double>> times_;  ///< of each exchange
};

}  // namespace cubefold::mpi
