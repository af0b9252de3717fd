#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "alltoall_plan.hpp"

namespace cubefold::mpi {

/// Measures exchanges with blocks of one size in turn. The times of short exchanges vary more. After the least number
/// of trials, they therefore go on until all trials together have taken a quarter of a second or each exchange has had
/// 25.
struct Trials {
  std::vector<std::shared_ptr<AlltoallPlan>> exchanges;

  /// Takes 2 p blocks of memory, the memory of each exchange, and memory for the times. Does not communicate. Throws
  /// std::bad_alloc, and std::invalid_argument for blocks longer than 2^31 - 1 bytes.
  void take_memory(std::size_t block_bytes, int least_count);

  /// Collective: runs each exchange once without a measurement, and then at least `least_count` times. Takes no memory
  /// itself.
  void run(MPI_Comm comm);

  int count() const { return count_; }

  /// Returns the median of the times of each exchange. The time of a trial is that of its slowest process.
  std::vector<double> seconds() const;

 private:
  double seconds_of(AlltoallPlan& exchange, MPI_Comm comm);

  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  int block_bytes_ = 0;
  int least_count_ = 0;
  int count_ = 0;
  std::vector<std::vector<double>> times_;  ///< times of each exchange
};

}  // namespace cubefold::mpi
