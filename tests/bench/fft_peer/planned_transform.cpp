#include "planned_transform.hpp"

#include <algorithm>

#include "cubefold/mpi/error.hpp"

namespace cubefold::bench {

PlannedTransform::PlannedTransform(const mpi::VirtualComm& comm, const Lengths& lengths,
                                   const fft::PlanOptions& options)
    : comm_(mpi::OwnedComm::duplicate(comm.cart_comm())),
      plan_(comm, lengths, options),
      data_(std::max(plan_.input_count(), plan_.output_count())) {}

void PlannedTransform::fill() {
  for (std::size_t place = 0; place < plan_.input_count(); ++place)
    data_[place] = value_at(plan_.input().point_at(plan_.members(), place));
}

bool PlannedTransform::any_measures() const {
  int measures = plan_.is_measuring() ? 1 : 0;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &measures, 1, MPI_INT, MPI_MAX, comm_.get()), "MPI_Allreduce");
  return measures != 0;
}

void PlannedTransform::run() {
  plan_.execute(data_.data(), data_.data());
  if (!is_chosen_) {
    while (any_measures()) plan_.execute(data_.data(), data_.data());
    is_chosen_ = true;
  }
}

std::optional<Complex> PlannedTransform::value_of(std::size_t point) const {
  if (plan_.output().owner(point) != plan_.members()) return {};
  return data_[plan_.output().place_of(point)];
}

}  // namespace cubefold::bench
