#include "fft/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cubefold/mpi/error.hpp"

using cubefold::mpi::check;

namespace cubefold::fft_program {

namespace {

template <typename Number>
void widen_numbers(const void* from, std::size_t count, double* to) {
  const auto* numbers = static_cast<const Number*>(from);
  std::copy(numbers, numbers + count, to);
}

}  // namespace

std::size_t numbers_of(npy::Element element) {
  return npy::is_complex(element) ? 2 : 1;
}

void widen(npy::Element element, const void* from, std::size_t point_count, double* to) {
  const std::size_t count = point_count * numbers_of(element);
  if (npy::is_single(element)) {
    widen_numbers<float>(from, count, to);
  } else {
    widen_numbers<double>(from, count, to);
  }
}

std::vector<double> widened(const npy::OwnPoints& own, npy::Element element, const void* part) {
  const std::size_t per_point = numbers_of(element);
  const std::size_t bytes = npy::bytes_of(element);
  std::vector<double> numbers(own.count() * per_point);
  double* to = numbers.data();
  own.for_each([&](std::size_t, std::size_t place) {
    widen(element, static_cast<const std::byte*>(part) + place * bytes, 1, to);
    to += per_point;
  });
  return numbers;
}

double relative_error(MPI_Comm comm, const std::vector<double>& result, const std::vector<double>& expected) {
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  check(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (largest == 0) largest = 1;
  std::array<double, 2> sums{};  // no square overflows, because values are scaled to at most about 1
  for (std::size_t i = 0; i < result.size(); ++i) {
    sums[0] += std::pow((result[i] - expected[i]) / largest, 2);
    sums[1] += std::pow(expected[i] / largest, 2);
  }
  check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm), "MPI_Allreduce");
  return std::sqrt(sums[0] / (sums[1] == 0 ? 1 : sums[1]));
}

}  // namespace cubefold::fft_program
