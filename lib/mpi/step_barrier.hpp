#pragma once

#include <array>

#include "request_set.hpp"
#include "run_space.hpp"

namespace cubefold::mpi {

/// A barrier that is awaited bit by bit, as often as wanted: in turn k every process tells the one 2^k above it, round
/// the end, and hears from the one 2^k below it; ceil(log2 p) turns. MPI_Ibarrier would need all processes to have the
/// barriers of several runs in one order.
class StepBarrier {
 public:
  explicit StepBarrier(const RunSpace& space);

  /// Joins. Requires that the last one is passed.
  void begin();

  /// Does what can be done; whether that was anything.
  bool advance();

  bool is_passed() const { return distance_ >= size_ && messages_.empty(); }

 private:
  void begin_turn();

  RunSpace space_;
  int rank_ = 0;
  int size_ = 0;
  int distance_ = 0;
  struct Nothing {};
  RequestSet<Nothing> messages_;
};

}  // namespace cubefold::mpi
