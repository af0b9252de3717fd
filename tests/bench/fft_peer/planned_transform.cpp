#include "planned_transform.hpp"

#include <algorithm>
#include <utility>

namespace cubefold::bench {

PlannedTransform::PlannedTransform(const mpi::VirtualComm& comm, const Lengths& lengths,
                                   const fft::PlanOptions& options)
    : plan_(comm, lengths, options), data_(std::max(plan_.input_count(), plan_.output_count())) {}

void PlannedTransform::fill() {
  for (std::size_t place = 0; place < plan_.input_count(); ++place)
    data_[place] = value_at(plan_.input().point_at(plan_.members(), place));
}

void PlannedTransform::run() {
  plan_.execute(data_.data(), data_.data());
  if (std::exchange(is_chosen_, true)) return;
  while (plan_.is_measuring()) plan_.execute(data_.data(), data_.data());
}

std::optional<Complex> PlannedTransform::value_of(std::size_t point) const {
  if (plan_.output().owner(point) != plan_.members()) return {};
  return data_[plan_.output().place_of(point)];
}

}  // namespace cubefold::bench
