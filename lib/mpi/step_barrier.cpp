#include "step_barrier.hpp"

namespace cubefold::mpi {

StepBarrier::StepBarrier(const RunSpace& space) : space_(space) {
  check(MPI_Comm_rank(space.comm, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(space.comm, &size_), "MPI_Comm_size");
  distance_ = size_;
}

void StepBarrier::begin() {
  distance_ = 1;
  if (distance_ < size_) begin_turn();
}

// The same two processes meet in one turn only, so messages of all turns and all barriers arrive in their order.
void StepBarrier::begin_turn() {
  const int below = (rank_ - distance_ + size_) % size_;
  messages_.receive({}, nullptr, 0, below, space_.barrier_tag(), space_.comm);
  messages_.send({}, nullptr, 0, (rank_ + distance_) % size_, space_.barrier_tag(), space_.comm);
}

bool StepBarrier::advance() {
  const bool any = messages_.end_some([](Nothing, const MPI_Status&) {});
  if (distance_ >= size_ || !messages_.empty()) return any;
  distance_ *= 2;
  if (distance_ < size_) begin_turn();
  return true;
}

}  // namespace cubefold::mpi
