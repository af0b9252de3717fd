#include "planned_transform.hpp"

#include <algorithm>
#include <utility>

namespace cubefold::bench {

PlannedTransform::PlannedTransform(const mpi::VirtualComm& comm, const Lengths& lengths,
                                   const fft::PlanOptions& options, const Arrays& arrays)
    : plan_(comm, lengths, options) {
  const bool is_real = options.kind == fft::Kind::real;
  count_ = is_real ? plan_.output_count() : std::max(plan_.input_count(), plan_.output_count());
  arrays.require(std::max(count_, is_real ? plan_.input_count() / 2 + 1 : 0));
  data_ = is_real ? arrays.second() : arrays.first();
  if (is_real) numbers_ = reinterpret_cast<double*>(arrays.first());
}

void PlannedTransform::fill() {
  for (std::size_t place = 0; place < plan_.input_count(); ++place)
    put(place, value_at(plan_.input().point_at(plan_.members(), place)));
}

void PlannedTransform::put(std::size_t place, Complex value) {
  if (plan_.options().kind == fft::Kind::real)
    numbers_[place] = value.real();
  else
    data_[place] = value;
}

void PlannedTransform::execute() {
  if (plan_.options().kind == fft::Kind::real) return plan_.execute(numbers_, data_);
  plan_.execute(data_, data_);
}

void PlannedTransform::run() {
  execute();
  if (std::exchange(is_chosen_, true)) return;
  while (plan_.is_measuring()) execute();
}

std::optional<Complex> PlannedTransform::value_of(std::size_t point) const {
  if (plan_.output().owner(point) != plan_.members()) return {};
  return data_[plan_.output().place_of(point)];
}

}  // namespace cubefold::bench
